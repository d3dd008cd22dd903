import type { Random } from '../support/random.ts';
import type { FieldValue, Json, Scalar } from './spec.ts';

/** A type of fields as the contract describes it. No code of the server is used here, for that is what is judged. */
export interface Kind {
  /** The keys of the spec. */
  readonly written: Readonly<Record<string, unknown>>;
  /** Values that several records have, so that they meet: in filters, in unique fields. */
  readonly common: readonly FieldValue[];
  readonly fresh: (random: Random) => FieldValue;
  /** Values that are refused, each with the code of its error, and the place of the error in a list. */
  readonly wrong: readonly (readonly [value: unknown, code: string, place?: number])[];
  /** The form in which a value is stored. */
  readonly stored?: (value: Scalar) => Scalar;
  /** A value of a query, undefined if no field of the type could hold it. */
  readonly read?: (text: string) => Scalar | undefined;
  readonly compare?: (a: Scalar, b: Scalar) => number;
  /** The kind of the entries of a list, which filters find and nothing sorts. */
  readonly of?: Kind;
  /** Whether it has no `[prefix]`. */
  readonly hasNoPrefix?: true;
  /** Whether it has no ranges. */
  readonly hasNoRanges?: true;
  /** Whether no index holds all of its values, or compares them, so that no field of it is unique. */
  readonly isLong?: true;
  /** Whether filters only tell its null, no default gives it a value, and nothing sorts it. */
  readonly isFree?: true;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

const bytesInOrder = (a: Scalar, b: Scalar): number => Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
const numbersInOrder = (a: Scalar, b: Scalar): number => Number(a) - Number(b);

/** The order of values of a kind. */
export const orderOf = ({ compare = bytesInOrder }: Kind): ((a: Scalar, b: Scalar) => number) => compare;

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;

const day = (random: Random): string =>
  `20${twoDigits(random.below(100))}-${twoDigits(1 + random.below(12))}-${twoDigits(1 + random.below(28))}`;
const clock = (random: Random): string =>
  [random.below(24), random.below(60), random.below(60)].map(twoDigits).join(':');

/** In UTC with milliseconds, what is behind them cut off. */
function instant(text: string): string | undefined {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/.exec(text);
  if (!parts) return undefined;
  const [, date = '', hours, minutes, seconds, fraction = '', sign, zoneHours, zoneMinutes] = parts;
  if (!isDay(date) || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const zone = sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes));
  const start = Date.parse(`${date}T00:00:00.000Z`);
  const time = ((Number(hours) * 60 + Number(minutes) - zone) * 60 + Number(seconds)) * 1_000;
  return new Date(start + time + Number(fraction.slice(0, 3).padEnd(3, '0'))).toISOString();
}

const scale = 2;
const cents = (value: Scalar): bigint => {
  const [whole = '', fraction = ''] = String(value).split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
};

const letters = ['a', 'B', 'z', 'Ä', 'é', 'ß', 'Σ', 'ς', '日', '🙂', '\uffff', '\u0301', ' ', ',', '\\', "'", '%', '_'];

/** Texts that mean something to JSON, SQL, JavaScript, browsers or terminals. */
const words = [
  ['__proto__', '{"a":1}', String.raw`\u0000`, "'; drop table x; --", '$1 ? :a @b', '<b>&amp;', '007', '2024-02-30'],
  ['\t\n\v\f\r', '\u0001\u001f\u007f\u0080', '\u2028\u2029', '\ufeff\ufffd\ufffe', '\u202eשלום', '👩‍👩‍👧'],
].flat();

const string: Kind = {
  written: { max_length: 40 },
  common: ['', 'a', 'A', 'ä', 'a\u0308', 'a,b', 'a\\b', '\ufffd', '\u{10000}', 'null'],
  fresh: (random) =>
    random.chance(0.2)
      ? `${random.of(words)}${random.below(1_000)}`
      : Array.from({ length: 4 + random.below(16) }, () => random.of(letters)).join(''),
  wrong: [
    [12, 'wrong_type'],
    ['x'.repeat(41), 'too_long'],
    ['a\0', 'invalid_text'],
    ['\ud800', 'invalid_text'],
  ],
};

const integer: Kind = {
  written: { type: 'integer', min: -1_000_000, max: 1_000_000 },
  common: [0, -1, 1_000_000],
  fresh: (random) => random.below(2_000_000) - 1_000_000,
  wrong: [
    [1_000_001, 'too_large'],
    [-1_000_001, 'too_small'],
    ['1', 'wrong_type'],
    [1.5, 'wrong_type'],
  ],
  read: (text) => (/^-?\d+$/.test(text) ? Number(text) : undefined),
  compare: numbersInOrder,
  hasNoPrefix: true,
};

const doubles = [0.1 + 0.2, 1 / 3, 2 ** 53 + 2, 2 ** 63, 2.2250738585072014e-308, Number.MAX_VALUE, -Number.MAX_VALUE];

const maxItems = 5;

/** Lists of a kind, whose wrong entries come after a right one. */
function listOf(of: Kind, isUnique: boolean): Kind {
  const [first, second] = of.common as readonly Scalar[];
  const most = Array.from({ length: maxItems + 1 }, (_, n) => (isUnique ? String(n) : first!));
  const entry = (random: Random): Scalar => (random.chance(0.5) ? random.of(of.common) : of.fresh(random)) as Scalar;
  return {
    written: { type: 'list', of: of.written, max_items: maxItems, ...(isUnique && { unique_items: true }) },
    common: [[], [first!, second!], [second!, first!], of.common.slice(2, 2 + maxItems) as Scalar[]],
    fresh: (random) => {
      const entries = Array.from({ length: 1 + random.below(maxItems) }, () => entry(random));
      return isUnique ? [...new Set(entries)] : entries;
    },
    wrong: [
      [first, 'wrong_type'],
      [{}, 'wrong_type'],
      [most, 'too_long'],
      [[first, null], 'null_not_allowed', 1],
      [[first, [second]], 'wrong_type', 1],
      ...of.wrong.map(([value, code]) => [[first, value], code, 1] as const),
      ...(isUnique ? [[[first, second, first], 'duplicate', 2] as const] : []),
    ],
    of,
    hasNoPrefix: true,
    hasNoRanges: true,
    isLong: true,
  };
}

const states = Array.from({ length: 40 }, (_, n) => `state ${n}`);

export const kinds = {
  string,
  enum: {
    written: { enum: states },
    common: states.slice(0, 3),
    fresh: (random) => random.of(states),
    wrong: [
      ['none', 'not_in_enum'],
      [1, 'wrong_type'],
    ],
  },
  date: {
    written: { format: 'date' },
    common: ['2024-02-29', '0001-01-01', '9999-12-31'],
    fresh: day,
    wrong: [
      ['2026-02-30', 'invalid_date'],
      ['2026-1-1', 'invalid_date'],
      [2026, 'wrong_type'],
    ],
    read: (text) => (isDay(text) ? text : undefined),
    hasNoPrefix: true,
  },
  date_time: {
    written: { format: 'date-time' },
    common: ['2026-03-01T12:00:00Z', '2026-03-01T13:00:00.000999999+01:00', '0001-01-01T00:00:00.5Z'],
    fresh: (random) => `${day(random)}T${clock(random)}.${random.below(1e6)}${random.of(['Z', '+05:30', '-11:00'])}`,
    wrong: [
      ['2026-01-01T00:00:60Z', 'invalid_date_time'],
      ['2026-01-01T00:00:00.1234567890Z', 'invalid_date_time'],
      ['9999-12-31T23:00:00-02:00', 'invalid_date_time'],
      ['2026-01-01', 'invalid_date_time'],
    ],
    stored: (value) => instant(String(value))!,
    read: instant,
    hasNoPrefix: true,
  },
  time: {
    written: { format: 'time' },
    common: ['12:00:00Z', '12:00:00z', '23:59:60Z'],
    fresh: (random) => `${clock(random)}Z`,
    wrong: [['24:00:00Z', 'invalid_time']],
    isLong: true,
  },
  uuid: {
    written: { format: 'uuid' },
    common: ['00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000A'],
    fresh: (random) =>
      `00000000-0000-4000-8000-${String(random.below(2 ** 40))
        .padStart(12, '0')
        .slice(-12)}`,
    wrong: [['0', 'invalid_uuid']],
  },
  email: {
    written: { format: 'email' },
    common: ['ann@example.com', 'Ann@Example.com'],
    fresh: (random) => `m${random.below(1e9)}@example.com`,
    wrong: [['ann', 'invalid_email']],
  },
  uri: {
    written: { format: 'uri' },
    common: ['urn:a:b', 'https://example.com/?a=b,c'],
    fresh: (random) => `https://example.com/${random.below(1e9)}`,
    wrong: [['example.com/é', 'invalid_uri']],
    isLong: true,
  },
  integer,
  number: {
    written: { type: 'number' },
    common: [0, 0.1, -2.5, 1e21, 5e-324],
    fresh: (random) => (random.chance(0.2) ? random.of(doubles) : (random.next() - 0.5) * 10 ** random.below(30)),
    wrong: [
      ['1', 'wrong_type'],
      [true, 'wrong_type'],
    ],
    read: (text) => (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined),
    compare: numbersInOrder,
    hasNoPrefix: true,
  },
  decimal: {
    written: { type: 'decimal', digits: 9, scale },
    common: ['0', '-1.5', '10', '9.99', '1234567.89'],
    fresh: (random) => `${random.of(['', '-'])}${1 + random.below(1e6)}.${twoDigits(random.below(100))}`,
    wrong: [
      [1.5, 'wrong_type'],
      ['1.234', 'invalid_decimal'],
      ['-0', 'invalid_decimal'],
      ['012', 'invalid_decimal'],
      ['12345678', 'too_large'],
    ],
    stored: (value) => {
      const [whole = '', fraction = ''] = String(value).split('.');
      return `${whole}.${fraction.padEnd(scale, '0')}`;
    },
    read: (text) => (/^(?!-[0.]+$)-?(0|[1-9]\d*)(\.\d{1,2})?$/.test(text) ? text : undefined),
    compare: (a, b) => Number(cents(a) - cents(b)),
    hasNoPrefix: true,
  },
  boolean: {
    written: { type: 'boolean' },
    common: [true, false],
    fresh: (random) => random.chance(0.5),
    wrong: [
      ['true', 'wrong_type'],
      [1, 'wrong_type'],
    ],
    read: (text) => ({ true: true, false: false })[text],
    compare: numbersInOrder,
    hasNoPrefix: true,
    hasNoRanges: true,
  },
  json: {
    written: { type: 'json', max_bytes: 200 },
    common: [{}, [], { a: { b: [null, 1, 'x'] } }, [{ result: 0 }] as unknown as Json, { result: 0 }],
    fresh: (random) =>
      random.chance(0.5)
        ? { [random.of(words)]: random.next(), nested: [random.below(9), { is: random.chance(0.5) }] }
        : ([random.of(words), random.below(1e9), []] as unknown as Json),
    wrong: [
      [1, 'wrong_type'],
      ['{}', 'wrong_type'],
      [false, 'wrong_type'],
      [['x'.repeat(197)], 'too_long'],
      [{ 'a\0': 1 }, 'invalid_text'],
    ],
    isFree: true,
    isLong: true,
  },
  list: listOf(string, true),
  list_of_integers: listOf(integer, false),
} as const satisfies Readonly<Record<string, Kind>>;
