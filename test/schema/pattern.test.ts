import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';

import { exampleOfMatch } from '../../generator/model/pattern-example.ts';
import { faultOfPattern } from '../../generator/model/pattern.ts';
import { LinearPattern } from '../../runtime/kernel/model/linear-pattern.ts';
import { formats } from '../../runtime/kernel/model/formats.ts';
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
  ...words(
    String.raw`[.] [^\S] [\S] [^\s] [[a] [[:alpha:] [\w-] [--a] [^^] [$] [|] [\p{sc=Greek}] \p{Letter} (?<n>a) (?<é>a)`,
  ),
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

test('a pattern that the generator accepts matches what it matches in ECMAScript, and its example is a match', () => {
  let [matches, accepted] = [0, 0];
  fc.assert(
    fc.property(plain, fc.array(text, { minLength: 1, maxLength: 10 }), (pattern, texts) => {
      if (faultOfPattern(pattern) !== undefined) return;
      accepted++;
      const own = new LinearPattern(pattern);
      const example = exampleOfMatch(pattern, 1, 50);
      if (example !== undefined) expect(isMatchOf(pattern, example), JSON.stringify([pattern, example])).toBe(true);
      for (const value of texts) {
        const isMatch = isMatchOf(pattern, value);
        expect(own.test(value), JSON.stringify([pattern, value])).toBe(isMatch);
        if (isMatch) matches++;
      }
    }),
    { numRuns: rounds(500, 10_000, 20_000), seed },
  );
  expect(matches).toBeGreaterThan(200);
  expect(accepted).toBeGreaterThan(200);
});

const sets = [
  ...words(String.raw`. \s \S \w \d [^\W] [\s] [^\s] [\S] \p{Script=Greek} \p{Script=Han} \P{L}`),
  ...words(
    String.raw`\p{L} \p{Lu} \p{Ll} \p{M} \p{N} \p{P} \p{S} \p{Z} \p{C} \p{Cn} \p{Alphabetic} \p{Emoji} \p{White_Space}`,
  ),
];

test.each(sets)('%s is the same set of characters', (set) => {
  const [own, native] = [new LinearPattern(`^${set}$`), new RegExp(`^${set}$`, 'u')];
  const differing: number[] = [];
  // Above the scripts and tags, whole planes are alike.
  for (
    let codePoint = 0;
    codePoint <= 0x10ffff;
    codePoint += codePoint < 0x33480 || codePoint >> 12 === 0xe0 ? 1 : 61
  ) {
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
    ['a+b', `b${'a'.repeat(long - 1)}`],
    ['(x+x+)+y', 'x'.repeat(long)],
    ['(a|b)*a(a|b){200}c', `c${'abaab'.repeat(long / 8)}`],
    ['(a|b)*a(a|b){900}c', `c${'abaabbbab'.repeat(long / 16)}`],
    ['^(\\w+\\s?)*$', `${'word '.repeat(long / 8)}!`],
    ['^[^\\p{L}]*$', Array.from({ length: long }, (_, n) => String.fromCodePoint(0x20000 + n)).join('')],
  ];

  test.each(slow)('%s', (pattern, value) => {
    const begin = threadTime();
    const field = new LinearPattern(pattern);
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
  ['\\ud83d\\ude42', 'half of a character, \\ud83d; write the whole one'],
  ['[\\ud83d\\ude42-\\ud83d\\ude43]', 'half of a character'],
  ['\\p{Letter}', 'not known to RE2'],
  ['[\\b]', 'not known to RE2'],
  ['(?<n$>a)', 'not known to RE2'],
  ['(?:a{100}){100}', 'too large'],
  ['a{1001}', 'too large'],
  ['a{1000}b{1000}c{1000}', 'too large'],
  ['(?:^){0,5000}', 'too large'],
])('%s is refused', (pattern, why) => {
  expect(faultOfPattern(pattern)).toContain(why);
});

test.each([
  ['^[A-Z]{2}-[0-9]{6}$', 1, 100, 'AA-000000'],
  ['^([01][0-9]|2[0-3]):[0-5][0-9]$', 1, 100, '00:00'],
  ['^(a|bb{3,5})$', 5, 6, 'bbbbb'],
  ['^\\S+@\\S+$', 6, 100, 'A@Axxx'],
  ['x', 4, 100, 'xxxx'],
  ['^\\p{Script=Greek}{3}$', 1, 100, 'ͰͰͰ'],
  ['(((a+)+)+)+$', 1, 100, 'a'],
  ['a^b', 1, 100, undefined],
])('an example of %s of at least %i and at most %i characters', (pattern, min, max, example) => {
  expect(exampleOfMatch(pattern, min, max)).toBe(example);
});

test('many different characters are forgotten in time, and mean the same again', () => {
  const [own, native] = [new LinearPattern('^(?:\\p{L}.|[^ ])*$'), /^(?:\p{L}.|[^ ])*$/u];
  for (let round = 0; round < 2; round++) {
    for (let start = 0x100; start < 0x20000; start += 512) {
      const value = Array.from({ length: 512 }, (_, n) => String.fromCodePoint(start + n)).join('');
      expect(own.test(value)).toBe(native.test(value));
    }
  }
});
