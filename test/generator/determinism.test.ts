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
const outputText = async (texts: Texts): Promise<string> => JSON.stringify([...(await output(texts))]);

const expected = await outputText(specs);

test('twice in a row', async () => {
  expect(expected.length).toBeGreaterThan(100_000);
  expect((await outputText(specs)) === expected).toBe(true);
});

test.each([0, 1, 2])('with the files in another order: %i', async (n) => {
  const other = new Map(new Random(seed + n).shuffled([...specs]));
  expect([...other.keys()]).not.toEqual([...specs.keys()]);
  expect((await outputText(other)) === expected).toBe(true);
});

test('with the line ends of Windows', async () => {
  const windows = new Map([...specs].map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]));
  expect((await outputText(windows)) === expected).toBe(true);
});

const ofSeveralFiles = goldenCases.filter((goldenCase) => goldenCase.specs.size > 2);

test.each(ofSeveralFiles)('with the files in reverse order: $name', async ({ specs: texts }) => {
  expect([...(await output(reversed(texts)))]).toEqual([...(await output(texts))]);
});
