import { texts } from '../texts.ts';

/** A number as whole thousands, and with decimals, as the language of the browser writes both. */
export type Readings = Readonly<Record<'thousands' | 'decimals', string>>;

/** A number in the plain notation of the API, like `-1234.5`, or why a text is none. One that can be read in two ways has both of them. */
type TypedNumber = { readonly plain: string } | { readonly problem: string; readonly readings?: Readings };

const plainForm = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Spaces that people write between thousands, also those that do not break. */
const spaces = /[\s\u00a0\u2007\u2009\u202f]/g;

/** How the language of the browser writes numbers. */
interface Notation {
  readonly decimal: string;
  /** Stands between thousands; empty if that is a space. */
  readonly group: string;
  readonly digits: readonly string[];
}

let known: Notation | undefined;

function notation(): Notation {
  if (known) return known;
  const parts = new Intl.NumberFormat().formatToParts(1234567.8);
  const find = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  const single = new Intl.NumberFormat(undefined, { useGrouping: false });
  const digits = Array.from({ length: 10 }, (_, digit) => single.format(digit));
  known = { decimal: find('decimal'), group: find('group').replaceAll(spaces, ''), digits };
  return known;
}

/** Whether a text is a number in plain notation. */
export const isPlainNumber = (text: string): boolean => plainForm.test(text);

/** A number as it is typed in the language of the browser, with all of its digits and nothing between thousands. */
export function typedNumber(plain: string): string {
  const { decimal, digits } = notation();
  return plain.replace('.', decimal).replaceAll(/\d/g, (digit) => digits[Number(digit)] as string);
}

/** Digits in groups of three, or of two before the last: 1.234.567, 12,34,567. */
const isGrouped = (parts: readonly string[]): boolean =>
  parts.every((part, at) => (at === 0 ? /^\d{1,3}$/ : at === parts.length - 1 ? /^\d{3}$/ : /^\d{2,3}$/).test(part));

/**
 * Reads a number as the language of the browser writes it. A sign that could separate thousands as well as decimals is not guessed:
 * 1.234 is refused where 1,5 is one and a half.
 */
export function readTypedNumber(text: string, isInteger = false): TypedNumber {
  const { decimal, group, digits } = notation();
  const wrong = { problem: isInteger ? texts.wrong.integer : texts.wrong.number(typedNumber('1234.5')) };
  const written = digits
    .reduce((rest, digit, value) => rest.replaceAll(digit, String(value)), text.replace(spaces, ''))
    .replace(/^\u2212/, '-')
    .replaceAll('\u2019', "'");
  const [, sign = '', mantissa = '', exponent = ''] = /^([+-]?)([^e]*)(e[+-]?\d+)?$/i.exec(written) ?? [];
  const [whole = '', fraction, ...more] = mantissa.split(decimal);
  const groups = group === '' ? [whole] : whole.split(group.replace('\u2019', "'"));
  if (more.length > 0 || (groups.length > 1 && !isGrouped(groups))) return wrong;
  if (groups.length === 2 && fraction === undefined && !isInteger) {
    const readings = { thousands: typedNumber(sign + groups.join('')), decimals: typedNumber(sign + groups.join('.')) };
    return { problem: texts.wrong.ambiguous(text.trim(), readings.thousands, readings.decimals), readings };
  }
  const plain = `${sign}${groups.join('')}${fraction === undefined ? '' : `.${fraction}`}${exponent}`;
  return isPlainNumber(plain) && !(isInteger && !/^[+-]?\d+$/.test(plain)) ? { plain } : wrong;
}
