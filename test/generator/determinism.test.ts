import { beforeEach, expect, test } from 'vitest';

import { readSpecs } from '../../generator/read/spec-files.ts';
import { Random } from '../support/random.ts';
import { repeatable, seed } from '../support/seed.ts';
import { testProject } from '../support/server.ts';
import { goldenCases, output, type Texts } from './golden.ts';

const specs = readSpecs(testProject);

beforeEach(repeatable);

const reversed = (texts: Texts): Texts => new Map([...texts].toReversed());

/** Everything that comes out, in its order. */
const outputText = (texts: Texts): string => JSON.stringify([...output(texts)]);

const expected = outputText(specs);

/** The output of each case, made once. */
const outputs = new Map<Texts, [string, string][]>();
const known = (texts: Texts): [string, string][] => outputs.getOrInsertComputed(texts, () => [...output(texts)]);

test('twice in a row', () => {
  expect(expected.length).toBeGreaterThan(100_000);
  expect(outputText(specs) === expected).toBe(true);
});

test.each([0, 1, 2])('with the files in another order: %i', (n) => {
  const other = new Map(new Random(seed + n).shuffled([...specs]));
  expect([...other.keys()]).not.toEqual([...specs.keys()]);
  expect(outputText(other) === expected).toBe(true);
});

test('with the line ends of Windows', () => {
  const windows = new Map([...specs].map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]));
  expect(outputText(windows) === expected).toBe(true);
});

const ofSeveralFiles = goldenCases.filter((goldenCase) => goldenCase.specs.size > 2);

test.each(ofSeveralFiles)('with the files in reverse order: $name', ({ specs: texts }) => {
  expect([...output(reversed(texts))]).toEqual(known(texts));
});
