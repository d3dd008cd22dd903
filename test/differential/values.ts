import type { Json } from '../support/records.ts';
import type { Random } from '../support/random.ts';
import type { Field, FieldOptions } from '../support/resources.ts';
import { fitted, textMatching } from '../support/samples.ts';

const words = [
  '',
  ' ',
  'a',
  'draft',
  'submitted',
  'null',
  'true',
  '0',
  '-0',
  '007',
  '1e3',
  '__proto__',
  'constructor',
  'toString',
  '{"a":1}',
  '[]',
  '"',
  '\\',
  '\\u0000',
  String.raw`C:\new\table`,
  "'; drop table lead; --",
  '%s %d $1 ? :a @b',
  '<script>&amp;',
  '\t\n\v\f\r',
  '\u0001\u001f\u007f\u0080\u009f',
  '\u2028\u2029',
  '\ufeff\ufffd\ufffe\uffff',
  '\u{10ffff}',
  '🙂👩‍👩‍👧',
  'Zoë é e\u0301 ß İ ı ﬁ',
  '\u202eשלום',
  '2024-02-29',
  '2024-02-30',
];
const longWords = ['x'.repeat(4_000), '🙂'.repeat(1_000), '"'.repeat(2_000)];
const ofFormat: Readonly<Record<string, readonly string[]>> = {
  date: ['2024-02-29', '1970-01-01', '9999-12-31', '0001-01-01', '2026-11-20'],
  'date-time': ['2024-02-29T23:59:59.123456789Z', '0001-01-01t00:00:00.000000001+23:59', '2026-11-20T12:30:00-01:00'],
  time: ['23:59:60Z', '00:00:00.000000001z', '12:30:00+01:00'],
  uuid: ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-ffff-4FFF-8FFF-FFFFFFFFFFFF'],
  email: ['name@example.com', "o'neil+%s@a-b.example", '?@x'],
  uri: ['https://example.com/path?a=b&c=%22#d', 'urn:x:y', "http://[::1]:8080/'", 'mailto:a@b'],
};
const integers = [0, 1, -1, 7, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
const doubles = [
  0,
  1,
  -1,
  100,
  0.1,
  -2.5,
  0.1 + 0.2,
  1 / 3,
  1e-7,
  1e21,
  1e23,
  2 ** 53 + 2,
  2 ** 63,
  -(2 ** 64),
  5e-324,
  2.2250738585072014e-308,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
];
const wrong: readonly Json[] = [12, 1.5, 1e300, '12', '', true, false, [], ['a'], {}, { a: null }, 'x'.repeat(65_537)];
const wrongTexts = ['\0', 'a\0b', '\ud800', '\udc00x', '2026-13-01'];

const word = (random: Random): string => {
  if (random.chance(0.7)) return random.of(words);
  if (random.chance(0.003)) return random.of(longWords);
  const characters = Array.from({ length: random.below(20) }, () => {
    const point = random.below(random.of([0x80, 0x800, 0xd800, 0x11_0000]));
    return String.fromCodePoint(point === 0 || (point >= 0xd800 && point < 0xe000) ? 0x2e : point);
  });
  return characters.join('');
};

const double = (random: Random): number => {
  if (random.chance(0.5)) return random.of(doubles);
  const value = new DataView(new ArrayBuffer(8));
  value.setUint32(0, random.below(2 ** 32));
  value.setUint32(4, random.below(2 ** 32));
  return Number.isFinite(value.getFloat64(0)) ? value.getFloat64(0) : random.next() * 1_000;
};

/** A text that a field takes, whatever may be in it. */
function text(random: Random, { format, enum: values, pattern, ...lengths }: FieldOptions): string {
  if (values) return random.of(values);
  if (format !== undefined) return random.of(ofFormat[format]!);
  if (pattern !== undefined) return textMatching(pattern, random.below(2 ** 31));
  return fitted(word(random), lengths);
}

const within = (value: number, { minimum = -Infinity, maximum = Infinity }: FieldOptions): number =>
  Math.min(Math.max(value, minimum), maximum);

const rightOf: Readonly<Record<Field[1], (random: Random, options: FieldOptions) => Json>> = {
  string: text,
  integer: (random, options) => within(random.chance(0.5) ? random.of(integers) : random.below(2_000) - 1_000, options),
  number: (random, options) => within(double(random), options),
  boolean: (random) => random.chance(0.5),
  array(random, { items, maxItems = 100, uniqueItems }) {
    const values = Array.from({ length: random.below(Math.min(maxItems, 5) + 1) }, () =>
      rightOf[items!.type](random, items!),
    );
    return uniqueItems ? [...new Set(values)] : values;
  },
};

/** A value that the field takes, null among them where it may be. */
export function rightValue([name, type, options = {}]: Field, random: Random): Json {
  if (name === 'idx') return random.of([...integers, random.below(20), random.below(20), random.below(20)]);
  const nullable = options.nullable ?? options.required === undefined;
  if (nullable && random.chance(0.15)) return null;
  // Transitions need records in one of their states.
  if (name === 'status' && random.chance(0.8)) return random.of(['draft', 'draft', 'submitted', 'cancelled']);
  return rightOf[type](random, options);
}

/** A value that some field does not take; this one may. */
export const anyValue = (random: Random): Json =>
  random.chance(0.2) ? random.of(wrongTexts) : random.chance(0.2) ? null : random.of(wrong);
