import { dayIn } from '../../kernel/values/time.ts';

/** The numbers that the service gives records, in the order of their commits. */
export interface Sequence {
  /** Like `INV-{yyyy}-{0000}`. */
  readonly pattern: string;
  /** The time zone (IANA) of its year and month. */
  readonly timeZone: string;
}

/** The parts of a pattern between braces that stand for the time of the create, each with what finds it in a number. */
export const timeParts = {
  yyyy: String.raw`\d{4}`,
  yy: String.raw`\d{2}`,
  mm: String.raw`(?:0[1-9]|1[0-2])`,
} as const;

type TimePart = keyof typeof timeParts;

/** The parts of a pattern: the texts between braces have odd places. */
export const partsOf = (pattern: string): string[] => pattern.split(/\{([^{}]*)\}/);

/** The text around the digits of a number, with `{}` in their place: each has a counter of its own, like `INV-2026-{}`. */
type Surroundings = string;

/** The number with these surroundings that a counter has reached. */
export const numberWith = (pattern: string, around: Surroundings, count: number): string => {
  const zeros = partsOf(pattern).find((part, at) => isDigits(part, at)) ?? '';
  return around.replace('{}', () => String(count).padStart(zeros.length, '0'));
};

const isDigits = (part: string, at: number): boolean => at % 2 === 1 && part.startsWith('0');

/** The last surroundings of each pattern, and their minute, in which no time zone comes to another month: its name takes 5 µs. */
const latest = new Map<string, { readonly minute: string; readonly around: Surroundings }>();

/** The surroundings of the numbers of a time. @param time in UTC, as timestamps are written */
export function surroundingsAt(pattern: string, timeZone: string, time: string): Surroundings {
  const minute = time.slice(0, 'YYYY-MM-DDTHH:mm'.length);
  const last = latest.get(pattern + timeZone);
  if (last?.minute === minute) return last.around;
  const [yyyy = '', mm = ''] = dayIn(timeZone, time).split('-');
  const values: Readonly<Record<TimePart, string>> = { yyyy, yy: yyyy.slice(2), mm };
  const around = partsOf(pattern)
    .map((part, at) => (isDigits(part, at) ? '{}' : at % 2 === 1 ? values[part as TimePart] : part))
    .join('');
  latest.set(pattern + timeZone, { minute, around });
  return around;
}

/** The counter that a number belongs to, and its count, which is exact up to 2^53; undefined if the pattern gives no such number. */
export function countIn(pattern: string, number: string): { around: Surroundings; count: number } | undefined {
  const form = partsOf(pattern).map((part, at) => {
    // Longer numbers have no zeros in front.
    if (isDigits(part, at)) return `)(\\d{${part.length}}|[1-9]\\d{${part.length},})(`;
    return at % 2 === 1 ? timeParts[part as TimePart] : RegExp.escape(part);
  });
  const [, before, digits, after] = new RegExp(`^(${form.join('')})$`, 'u').exec(number) ?? [];
  return digits === undefined ? undefined : { around: `${before}{}${after}`, count: Number(digits) };
}
