import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';

import { Pattern, PatternError } from '../../runtime/rules/pattern.ts';
import { formats } from '../../runtime/model/formats.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';
import { threadTime } from '../support/thread-time.ts';

beforeEach(repeatable);

/** Characters that classes, escapes, dots, edges and case treat differently. */
const characters = [
  ...'aAzZkKsS09_-./\\ \t\n\r\v\f\0\u00a0\ufeff\u2028\u2029\u0085\u180eßẞſ\u212aÉéİıΣσς٣中🙂𝒳\u{10ffff}',
  '\ud83d',
  '\ude42',
];

const words = (text: string): string[] => text.split(' ');

const characterSources = [
  ' ',
  ...words(String.raw`a z A Z k S 0 9 _ é 🙂 . \d \D \s \S \w \W \. \/ \\ \t \n \v (?:\0) \cJ \x41 \u0041 \u{1F642}`),
  ...words(String.raw`\ud83d\ude42 \ud83d \p{L} \P{L} \p{Script=Greek} \p{Lu} \p{Emoji}`),
  ...words(String.raw`[a-z] [^a-z] [] [^] [\s\d] [^\W_] [\]\\] [\-a] [🙂-🙃] [\p{Lu}ß] [\b] [^\u{1F642}]`),
];

// Repetitions are not nested: the engine of the platform would not come to an end.
const plain = fc.letrec<{ choice: string; term: string }>((tie) => ({
  choice: fc
    .array(fc.array(tie('term'), { maxLength: 3 }), { minLength: 1, maxLength: 2 })
    .map((parts) => parts.map((terms) => terms.join('')).join('|')),
  term: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...characterSources, '^', '$'),
    fc
      .tuple(
        fc.constantFrom(...characterSources),
        fc.constantFrom('*', '+', '?', '{2}', '{1,}', '{0,2}', '{1,3}?', '*?'),
      )
      .map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom('(', '(?:'), tie('choice'), fc.constantFrom('', '', '*', '+', '{2}', '{0,2}'))
      .map(([open, inner, quantifier]) => `${open}${inner})${/[*+?{]/.test(inner) ? '' : quantifier}`),
  ),
})).choice;

const text = fc.array(fc.constantFrom(...characters), { maxLength: 8 }).map((parts) => parts.join(''));

/** Tries each position by itself: where V8 14 searches by itself, it also looks within surrogate pairs. */
function isMatchOf(pattern: string, value: string): boolean {
  const native = new RegExp(pattern, 'uy');
  let position = 0;
  const positions = [0, ...[...value].map((character) => (position += character.length))];
  return positions.some((start) => {
    native.lastIndex = start;
    return native.test(value);
  });
}

test('a pattern matches what it matches in ECMAScript', () => {
  let matches = 0;
  fc.assert(
    fc.property(plain, fc.array(text, { minLength: 1, maxLength: 10 }), (pattern, texts) => {
      const own = new Pattern(pattern);
      for (const value of texts) {
        const isMatch = isMatchOf(pattern, value);
        expect(own.test(value), JSON.stringify([pattern, value])).toBe(isMatch);
        if (isMatch) matches++;
      }
    }),
    { numRuns: rounds(500, 10_000, 20_000), seed },
  );
  expect(matches).toBeGreaterThan(200);
});

test.each(['.', '\\s', '\\w', '\\d', '\\p{Lu}', '[^\\W]'])('%s is the same set of characters', (set) => {
  const [own, native] = [new Pattern(`^${set}$`), new RegExp(`^${set}$`, 'u')];
  const differing: number[] = [];
  for (let codePoint = 0; codePoint <= 0x1ffff; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    if (own.test(character) !== native.test(character)) differing.push(codePoint);
  }
  expect(differing).toEqual([]);
});

describe('time is linear', () => {
  /** More than enough for a text of the greatest length, on a busy machine. */
  const limit = 3_000;
  const long = 65_536;

  const slow: readonly (readonly [string, string])[] = [
    ['(a+)+$', `${'a'.repeat(long)}!`],
    ['^(a|a)*b$', 'a'.repeat(long)],
    ['(.*)*x', 'a'.repeat(long)],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(long)],
    ['a+b', 'a'.repeat(long)],
    ['(x+x+)+y', 'x'.repeat(long)],
    ['(a|b)*a(a|b){200}c', 'abaab'.repeat(long / 8)],
    ['^(\\w+\\s?)*$', `${'word '.repeat(long / 8)}!`],
    ['^[^\\p{L}]*$', Array.from({ length: long }, (_, n) => String.fromCodePoint(0x20000 + n)).join('')],
  ];

  test.each(slow)('%s', (pattern, value) => {
    const begin = threadTime();
    const field = new Pattern(pattern);
    expect(field.test(value)).toBe(false);
    expect(threadTime() - begin).toBeLessThan(limit);
  });

  test.each(Object.entries(formats))('the format %s', (_, { accepts }) => {
    const attacks = ['a', 'a.', 'a@', 'a-', '1', '%41', 'a:', '[::', '//', '2026-01-31T', ':', 'a:///@', '.'];
    for (const part of attacks) {
      for (const before of ['', 'a@', 'a:', 'a://', '12:00:00.']) {
        const begin = threadTime();
        accepts(`${before}${part.repeat(long / part.length)}!`);
        expect(threadTime() - begin, before + part).toBeLessThan(limit);
      }
    }
  });
});

test.each([
  ['(?=a)', 'look-around'],
  ['(?!a)', 'look-around'],
  ['(?<=a)', 'look-around'],
  ['(?<!a)', 'look-around'],
  ['(a)\\1', 'back-reference'],
  ['(?<n>a)\\k<n>', 'back-reference'],
  ['a\\b', 'word boundary, \\b; there are'],
  ['(?i:a)', 'flags of a group, (?i:…)'],
  ['(?-s:a)', 'flags of a group'],
  ['(?:a{100}){100}', 'too large'],
  ['(?:^){0,5000}', 'too large'],
  [`${'('.repeat(101)}${')'.repeat(101)}`, 'nests'],
])('%s is refused', (pattern, why) => {
  expect(() => new Pattern(pattern)).toThrow(PatternError);
  expect(() => new Pattern(pattern)).toThrow(why);
});

test('an empty part is repeated without limit', () => {
  expect(new Pattern('^(?:(?:){1000000000}){1000000000}$').test('')).toBe(true);
  expect(new Pattern('^(?:(?:){1000000000}){1000000000}$').test('a')).toBe(false);
});

test('many different characters are forgotten in time, and mean the same again', () => {
  const [own, native] = [new Pattern('^(?:\\p{L}.|[^ ])*$'), /^(?:\p{L}.|[^ ])*$/u];
  for (let round = 0; round < 2; round++) {
    for (let start = 0x100; start < 0x20000; start += 512) {
      const value = Array.from({ length: 512 }, (_, n) => String.fromCodePoint(start + n)).join('');
      expect(own.test(value)).toBe(native.test(value));
    }
  }
});
