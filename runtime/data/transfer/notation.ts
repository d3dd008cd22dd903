/** How people write numbers, dates, yes and no. Nothing in here needs Node: forms of the console read numbers by it, too. */

/** The sign before the decimals of numbers: that of a language, or the other one of point and comma. */
export type DecimalSign = 'own' | 'other';

type DatePart = 'year' | 'month' | 'day';

/** How a language writes numbers and days. */
export interface Language {
  readonly decimal: string;
  /** Stands between thousands; empty if that is a space. */
  readonly group: string;
  readonly digits: readonly string[];
  readonly dateOrder: readonly DatePart[];
  /** Stands between day and month. */
  readonly dateMark: string;
}

/** Both meanings of a number that can be read in two ways, in plain notation. */
export type Readings = Readonly<Record<DecimalSign, string>>;

/** Why a text is no number. */
export type NumberFault =
  | { readonly code: 'integer' | 'number'; readonly text: string }
  | { readonly code: 'ambiguous'; readonly text: string; readonly readings: Readings };

/** A number in the plain notation of the API, like `-1234.5`. */
export type NumberReading = { readonly plain: string } | { readonly fault: NumberFault };

const plainForm = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Spaces that people write between thousands, also those that do not break. */
const spaces = /[\s\u00a0\u2007\u2009\u202f]/g;

const languages = new Map<string | undefined, Language>();

/** @param locale that of the browser, or of the process, if none is given */
export function languageOf(locale?: string): Language {
  const known = languages.get(locale);
  if (known) return known;
  const parts = new Intl.NumberFormat(locale).formatToParts(1234567.8);
  const find = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  const single = new Intl.NumberFormat(locale, { useGrouping: false });
  const date = new Intl.DateTimeFormat(locale).formatToParts(new Date(2026, 10, 22));
  const language: Language = {
    decimal: find('decimal'),
    group: find('group').replaceAll(spaces, '').replace('\u2019', "'"),
    digits: Array.from({ length: 10 }, (_, digit) => single.format(digit)),
    dateOrder: date.flatMap(({ type }) => (['year', 'month', 'day'] as const).filter((part) => part === type)),
    dateMark: date.find(({ type }) => type === 'literal')?.value.trim() ?? '',
  };
  languages.set(locale, language);
  return language;
}

const otherSign = (decimal: string): string => (decimal === '.' ? ',' : '.');

/** Whether a text is a number in plain notation. */
export const isPlainNumber = (text: string): boolean => plainForm.test(text);

/** A number as it is typed in a language, with all of its digits and nothing between thousands. */
export const typedNumber = (plain: string, { decimal, digits } = languageOf()): string =>
  plain.replace('.', decimal).replaceAll(/\d/g, (digit) => digits[Number(digit)] as string);

/** A number with thousands and decimals, as it is written with a decimal sign. */
export function exampleOf(sign: DecimalSign): string {
  const { decimal } = languageOf();
  return sign === 'own' ? new Intl.NumberFormat().format(12345.6) : `12${decimal}345${otherSign(decimal)}6`;
}

/** The digits of a number without the zeros around them, and their power of ten: equal for spellings of the same number. */
export function digitsOf(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().replace(/^[+-]/, '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  return digits === '' ? '0' : `${digits}e${Number(exponent) - fraction.length + all.length - digits.length}`;
}

/** Digits in groups of three, or of two before the last: 1.234.567, 12,34,567. */
const isGrouped = (parts: readonly string[]): boolean =>
  parts.every((part, at) =>
    (at === 0 ? /^[1-9]\d{0,2}$/ : at === parts.length - 1 ? /^\d{3}$/ : /^\d{2,3}$/).test(part),
  );

/** A number with one decimal sign, in plain notation; undefined if it is none. */
function plainOf(text: string, isInteger: boolean, language: Language, sign: DecimalSign): string | undefined {
  const { decimal: own, digits } = language;
  const decimal = sign === 'own' ? own : otherSign(own);
  const group = sign === 'own' ? language.group : own;
  const written = digits
    .reduce((rest, digit, value) => rest.replaceAll(digit, String(value)), text.replaceAll(spaces, ''))
    .replace(/^\u2212/, '-')
    .replaceAll('\u2019', "'");
  const [, minus = '', mantissa = '', exponent = ''] = /^(?:(-)|\+)?([^e]*)(e[+-]?\d+)?$/i.exec(written) ?? [];
  const [whole = '', fraction, ...more] = mantissa.split(decimal);
  const groups = group === '' ? [whole] : whole.split(group);
  if (more.length > 0 || (groups.length > 1 && !isGrouped(groups))) return undefined;
  const plain = `${minus}${groups.join('')}${fraction === undefined ? '' : `.${fraction}`}${exponent}`;
  return isPlainNumber(plain) && !(isInteger && !/^-?\d+$/.test(plain)) ? plain : undefined;
}

/** Whether a number of thousands could be one of decimals: 1.234 in German. */
const isUnclear = (own: string | undefined, other: string | undefined): boolean =>
  own !== undefined && other !== undefined && own !== other && !own.includes('.');

/**
 * Reads a number as people write it. One that can be read in two ways is not guessed.
 *
 * @param sign undefined if it is not known: the number may have either then
 */
export function readNumber(
  text: string,
  isInteger: boolean,
  sign: DecimalSign | undefined,
  language = languageOf(),
): NumberReading {
  const own = plainOf(text, isInteger, language, 'own');
  const other = plainOf(text, isInteger, language, 'other');
  if (sign === undefined && own !== undefined && other !== undefined && own !== other)
    return { fault: { code: 'ambiguous', text, readings: { own, other } } };
  const plain = sign === 'own' ? own : sign === 'other' ? other : (own ?? other);
  return plain === undefined ? { fault: { code: isInteger ? 'integer' : 'number', text } } : { plain };
}

/** Reads a number that stands alone, in the language of its reader: 1.234 is refused where 1,5 is one and a half. */
export function readLoneNumber(text: string, isInteger: boolean, language = languageOf()): NumberReading {
  const [own, other] = (['own', 'other'] as const).map((sign) => plainOf(text, isInteger, language, sign));
  return readNumber(text, isInteger, isUnclear(own, other) ? undefined : 'own', language);
}

/** The evidence of the numbers of a table for their decimal sign. */
export class SignEvidence {
  readonly #language: Language;
  readonly #found: Record<DecimalSign, boolean> = { own: false, other: false };
  #isUnclear = false;
  /** A number that can be read in two ways. */
  example: { readonly text: string; readonly readings: Readings } | undefined;

  constructor(language = languageOf()) {
    this.#language = language;
  }

  add(text: string, isInteger: boolean): void {
    const own = plainOf(text, isInteger, this.#language, 'own');
    const other = plainOf(text, isInteger, this.#language, 'other');
    if (own === other) return;
    if (other === undefined) this.#found.own = true;
    else if (own === undefined) this.#found.other = true;
    else this.example = isUnclear(own, other) || !this.example ? { text, readings: { own, other } } : this.example;
    this.#isUnclear ||= isUnclear(own, other);
  }

  /** Whether some number cannot be read with each sign alike. */
  get matters(): boolean {
    return this.#found.own || this.#found.other || this.example !== undefined;
  }

  /** The sign that all numbers can have, if some can have no other; undefined if the person has to say it. */
  get sign(): DecimalSign | undefined {
    const { own, other } = this.#found;
    if (own && other) return undefined;
    if (own || other) return own ? 'own' : 'other';
    return this.#isUnclear ? undefined : 'own';
  }
}

const pad = (text: string): string => text.padStart(2, '0');

/**
 * A day as the API writes it: from the year first, as the language writes days, or with points, which only stand behind the day.
 * The year has all of its digits.
 */
export function readDay(text: string, { dateOrder, dateMark } = languageOf()): string | undefined {
  const [, first = '', mark = '', second = '', third = ''] =
    /^(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{1,4})\.?$/.exec(text.trim()) ?? [];
  const order: readonly DatePart[] | undefined =
    first.length === 4
      ? ['year', 'month', 'day']
      : mark === '.'
        ? ['day', 'month', 'year']
        : mark === dateMark
          ? dateOrder
          : undefined;
  const partOf = (part: DatePart): string => [first, second, third][order?.indexOf(part) ?? -1] ?? '';
  const [year, month, day] = [partOf('year'), partOf('month'), partOf('day')];
  if (year.length !== 4 || month.length > 2 || day.length > 2) return undefined;
  const written = `${year}-${pad(month)}-${pad(day)}`;
  const time = Date.parse(`${written}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(written) ? written : undefined;
}

/** A date and time: one with a time zone as it is, or one of the time zone of the browser. */
export function readInstant(text: string, language = languageOf()): string | undefined {
  const trimmed = text.trim();
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/i.test(trimmed))
    return Number.isNaN(Date.parse(trimmed)) ? undefined : trimmed;
  const [, date = '', hour = '', minute = '', second = '00', half = ''] =
    /^(.*?)[\s,T]+(\d{1,2}):(\d\d)(?::(\d\d))?\s*([ap])?\.?m?\.?$/i.exec(trimmed) ?? [];
  const day = readDay(date || trimmed, language);
  if (day === undefined) return undefined;
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const time = new Date(`${day}T${pad(String(hours))}:${minute || '00'}:${second}`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

const words = new Map([
  ...['true', 'yes', 'wahr', 'ja', '1', 'x'].map((word) => [word, true] as const),
  ...['false', 'no', 'falsch', 'nein', '0'].map((word) => [word, false] as const),
]);

export const readYesOrNo = (text: string): boolean | undefined => words.get(text.trim().toLowerCase());
