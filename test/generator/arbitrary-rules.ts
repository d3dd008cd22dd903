import * as fc from 'fast-check';
import type { Sample } from './rule-rows.ts';

const orNull = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(values, { nil: null, freq: 3 });

const small = fc.integer({ min: -4, max: 12 });
/** Often small numbers, which meet; sometimes those at the limits. */
const integer = fc.oneof(
  { weight: 12, arbitrary: small },
  { weight: 1, arbitrary: fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER) },
);
const number = fc.oneof(
  small,
  fc.integer({ min: -20, max: 20 }).map((n) => n / 4),
);
const decimal = (scale: number): fc.Arbitrary<string> =>
  fc.oneof(
    small.map((n) => n.toFixed(scale)),
    fc.integer({ min: -20, max: 20 }).map((n) => (n / 4).toFixed(scale)),
    fc.integer({ min: -99_999, max: 99_999 }).map((n) => (n / 100).toFixed(scale)),
  );
const text = fc.oneof(
  fc.constantFrom('', 'a', 'abc', 'é', '\uffee', '😀'),
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', '😀'), maxLength: 5 }),
);
const day = fc.constantFrom('2026-02-20', '2026-02-26', '2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02');
const time = fc
  .tuple(day, fc.constantFrom('00:00:00.000Z', '11:00:00.000Z', '12:34:56.539Z', '12:34:56.789Z', '23:59:59.999Z'))
  .map((parts) => parts.join('T'));
const state = fc.constantFrom('draft' as const, 'open' as const, 'done' as const);

/** A record of the resource that the rules are about. */
export const sample: fc.Arbitrary<Sample> = fc.record({
  a: integer,
  b: integer,
  m: orNull(integer),
  x: number,
  y: number,
  z: orNull(number),
  p: decimal(2),
  q: decimal(2),
  d: orNull(decimal(3)),
  s: text,
  t: orNull(text),
  e: state,
  e2: orNull(state),
  f: fc.boolean(),
  g: fc.boolean(),
  h: orNull(fc.boolean()),
  day,
  until: orNull(day),
  at: time,
  end: orNull(time),
  tags: fc.array(text, { maxLength: 4 }),
  sizes: orNull(fc.array(integer, { maxLength: 4 })),
});

/** Templates of expressions by type; a capital stands for a random expression of a type. */
const templates: Readonly<Record<string, readonly string[]>> = {
  B: [
    'f',
    'g',
    'true',
    '!B',
    '!(B)',
    'B && B',
    'B || B',
    '(B || B)',
    'B ? B : B',
    'I < I',
    'I >= I',
    'I == I',
    'X > X',
    'P <= P',
    'P == P',
    'S == S',
    'S < S',
    'D < D',
    'D == D',
    'T >= T',
    'U < U',
    'e == S',
    'e in ["draft", "open"]',
    'm == null',
    'm != null && m > I',
    'h == true',
    't != null && t.size() > I',
    'until == null || until > D',
    'd != null ? d > P : B',
    'S in tags',
    'I in [I, I, I]',
    'tags.all(tag, tag != S)',
    'tags.exists(tag, tag.size() > I && B)',
    'sizes != null && sizes.exists_one(n, n > I)',
    'S.startsWith(S)',
    'S.contains("b")',
    'S.matches("a+$")',
    'e == e2',
    'end == null || end - at < U',
  ],
  I: [
    'a',
    'b',
    '0',
    '7',
    '-3',
    '9007199254740991',
    'I + I',
    'I - I',
    'I * I',
    '(I + I) * I',
    'I / I',
    'I % I',
    '-I',
    '(B ? I : I)',
    'size(S)',
    'days(D, D)',
    'days(T, D)',
    'size(tags)',
    '(m == null ? I : m)',
    'm',
  ],
  X: ['x', 'y', '1.5', 'X + X', 'X - X', 'X * X', 'X / X', '(X - X) / X', 'U / U', '-X', 'I', 'z'],
  P: [
    'p',
    'q',
    '0.005',
    '12',
    'P + P',
    'P - P',
    'P * P',
    'round(P / P, 2)',
    'round(P, 1)',
    '-P',
    '(B ? P : I)',
    'd',
    'X',
  ],
  S: ['s', '"abc"', '"draft"', '"it\'s"', 'S + S', '(B ? S : S)', 't', 'e'],
  D: ['day', 'date("2026-03-01")', 'today()', 'date(T)', 'D + duration("3d")', 'D + duration("1d") * I', 'until', 'T'],
  T: ['at', 'now()', 'timestamp("2026-03-01T00:00:00Z")', 'T - U', 'T + duration("36h")', 'end'],
  U: ['duration("90m")', 'duration("3s")', 'D - D', 'T - T', 'U + U', 'U * I', '-U'],
};

/** An expression of a type, with so many levels of others in it. */
function expressionOf(type: string, depth: number): fc.Arbitrary<string> {
  const all = templates[type] ?? [];
  const plain = all.filter((template) => !/[A-Z](?![A-Z"T:])/.test(template.replaceAll(/"[^"]*"/g, '')));
  return fc.constantFrom(...(depth === 0 ? plain : all)).chain((template) => {
    const pieces = template
      .split(/("[^"]*"|\b[BIXPSDTU]\b)/)
      .map((piece) => (/^[A-Z]$/.test(piece) ? expressionOf(piece, Math.max(depth - 1, 0)) : fc.constant(piece)));
    return fc.tuple(...pieces).map((parts) => parts.join(''));
  });
}

/** Random conditions: most are valid, others mix types or use values that may be null, and a few are broken texts. */
export const expression: fc.Arbitrary<string> = fc
  .tuple(
    fc.nat({ max: 4 }).chain((depth) => expressionOf('B', depth)),
    fc.nat({ max: 30 }),
    fc.constantFrom('', '&', '"', ')', '(', 'x', '\u0000', 'é'),
  )
  .map(([whole, place, odd]) =>
    place < 28 ? whole : whole.slice(0, whole.length / 2) + odd + whole.slice(whole.length / 2 + 1),
  )
  .filter((that) => that.trim() !== '' && !that.includes('\u0000'));
