import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';

import { ApiError } from '../../runtime/kernel/model/errors.ts';
import { parseJson } from '../../runtime/kernel/api/json.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';

beforeEach(repeatable);

const parse = (text: string, maxValues = 1_000): unknown => parseJson(Buffer.from(text), maxValues);

/** The code that refuses a body; undefined if it is accepted. */
function refusalOf(text: string, maxValues?: number): string | undefined {
  try {
    parse(text, maxValues);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'malformed_json') return error.message;
    throw error;
  }
}

/** JSON, and whether one of its objects has a key twice. */
interface Sample {
  readonly text: string;
  readonly repeats: boolean;
}

const space = fc.constantFrom('', '', '', ' ', '\n', '\t\r ');

// The same characters in several spellings, and those that have a meaning outside of strings.
const spellings = String.raw`a a a \u0061 b \u0062 é \u00e9 🙂 \ud83d\ude42 \ud83d \" \\ \/ / \n \u0000 : , { } [ ] : , 0 __proto__`;
const string = fc
  .array(fc.constantFrom(...spellings.split(' ')), { maxLength: 2 })
  .map((pieces) => `"${pieces.join('')}"`);

// V8 14.6 reads an escaped key as one that begins with a backslash, if that stood behind the same keys of an earlier object.
const name = string.filter((text) => !text.startsWith(String.raw`"\\`));

const scalar = fc
  .oneof(string, fc.constantFrom(...'true false null 0 -0 1 -1.5 1e3 2E-7 1e400 12345678901234567890'.split(' ')))
  .map((text): Sample => ({ text, repeats: false }));

const json = fc.letrec<{ value: Sample; inner: Sample }>((tie) => ({
  value: fc.tuple(space, tie('inner'), space).map(([before, { text, repeats }, after]) => ({
    text: before + text + after,
    repeats,
  })),
  inner: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.tuple(fc.array(tie('value'), { maxLength: 4 }), space).map(([entries, blank]) => ({
      text: `[${entries.map(({ text }) => text).join(',') || blank}]`,
      repeats: entries.some(({ repeats }) => repeats),
    })),
    fc.tuple(fc.array(fc.tuple(space, name, space, tie('value')), { maxLength: 4 }), space).map(([members, blank]) => {
      const keys = new Set(members.map(([, key]) => JSON.parse(key) as string));
      return {
        text: `{${members.map(([before, key, after, { text }]) => `${before}${key}${after}:${text}`).join(',') || blank}}`,
        repeats: keys.size < members.length || members.some(([, , , { repeats }]) => repeats),
      };
    }),
  ),
})).value;

const repeated = 'An object in the body has the same key twice.';

const assertProperty = <T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => void): void =>
  fc.assert(fc.property(arbitrary, check), { numRuns: rounds(2_000, 100_000), seed });

describe('any JSON', () => {
  test('is parsed as JSON.parse does, unless an object has a key twice', () => {
    assertProperty(json, ({ text, repeats }) => {
      if (repeats) expect(refusalOf(text)).toBe(repeated);
      else expect(isDeepStrictEqual(parse(text), JSON.parse(text))).toBe(true);
    });
  });

  test('is refused where JSON.parse refuses it', () => {
    const edit = fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom('', ...'{}[]:,"\\ x0-e.\n\0'));
    let [valid, invalid] = [0, 0];
    assertProperty(fc.tuple(json, fc.array(edit, { maxLength: 3 })), ([{ text }, edits]) => {
      let edited = text;
      for (const [place, removed, added] of edits) {
        const at = place % (edited.length + 1);
        edited = edited.slice(0, at) + added + edited.slice(at + removed);
      }
      // Half of a surrogate pair is not sent as UTF-8.
      edited = edited.toWellFormed();
      let value: unknown;
      try {
        value = JSON.parse(edited);
        valid++;
      } catch {
        invalid++;
        expect(refusalOf(edited)).toBeDefined();
        return;
      }
      const refusal = refusalOf(edited);
      if (refusal === undefined) expect(isDeepStrictEqual(parse(edited), value)).toBe(true);
      else expect(refusal).toBe(repeated);
    });
    expect(Math.min(valid, invalid)).toBeGreaterThan(100);
  });

  test('has at most so many values, those of inner objects and arrays included', () => {
    const values = fc.array(scalar, { minLength: 1, maxLength: 30 });
    assertProperty(fc.tuple(values, fc.nat(30), fc.boolean()), ([entries, limit, isArray]) => {
      const texts = entries.map(({ text }, index) => (isArray ? text : `"${index}":${text}`));
      const text = isArray ? `[${texts.join(',')}]` : `{${texts.join(',')}}`;
      const tooMany = `The body has more than ${limit} members and array entries in all.`;
      expect(refusalOf(text, limit)).toBe(texts.length > limit ? tooMany : undefined);
    });
  });
});

test.each([
  ['{"a":[1,2,3],"b":2,"c":3}', 6],
  ['{"a":1,"b":[1,2,3]}', 5],
  ['[[],[],[],[]]', 8],
  ['{}', 1],
])('%s counts as %i values', (text, count) => {
  expect(refusalOf(text, count)).toBeUndefined();
  expect(refusalOf(text, count - 1)).toContain(`more than ${count - 1} members`);
});

test.each([
  '{"a":1,"a":1}',
  '{"a":1,"\\u0061":2}',
  '{"é🙂":1, "b":{"é🙂":1}, "é🙂":2}',
  '{"items":[{"id":1},{"id":2,"idx":1,"id":3}]}',
  '{"a":{},"a":{}}',
  '[[],{},{"a":[],"a":[]}]',
  '{"__proto__":1,"__proto__":2}',
  '{"":{"":1,"":2}}',
])('%s', (text) => {
  expect(refusalOf(text)).toBe(repeated);
});

test('objects and arrays are nested at most 32 levels deep', () => {
  const nested = (levels: number, inner = ''): string =>
    '[{"a":'.repeat(levels / 2) + (inner || '1') + '}]'.repeat(levels / 2);
  expect(parse(nested(32))).toEqual(JSON.parse(nested(32)));
  const tooDeep = 'The body is nested more than 32 levels deep.';
  expect(refusalOf(nested(32, '[]'))).toBe(tooDeep);
  expect(refusalOf(`"é" ${'['.repeat(1_000_000)}`)).toBe(tooDeep);
  expect(parse(JSON.stringify(['[{'.repeat(100)]))).toEqual(['[{'.repeat(100)]);
});
