import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';

import { generate } from '../../generator/generate.ts';
import { readSpecs } from '../../generator/read/spec-files.ts';
import { edits, specsOf } from '../changes/edits.ts';
import { Random } from '../support/random.ts';
import { repeatable, seed } from '../support/seed.ts';
import { projectRoot, testProject } from '../support/server.ts';
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

test('after other specs as in a process that has seen no other', async () => {
  const chosen = new Random(seed).shuffled([...edits]).slice(0, 40);
  const texts = chosen.map(({ after }) => [...specsOf(after)]);
  // The child begins with the last one, and generates no earlier version of any.
  const program = `
    import { generate } from '${pathToFileURL(join(projectRoot, 'generator/generate.ts')).href}';
    const outputs = [];
    for (const texts of ${JSON.stringify(texts)}.toReversed()) outputs.unshift([...(await generate(new Map(texts))).files]);
    console.log(JSON.stringify(outputs));`;
  const alone = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    maxBuffer: 64 * 1024 ** 2,
  });
  const outputs: [string, string][][] = [];
  for (const { before, after } of chosen) {
    await generate(specsOf(before));
    outputs.push([...(await generate(specsOf(after))).files]);
  }
  const expectedOutputs = JSON.parse((await alone).stdout) as typeof outputs;
  for (const [index, files] of outputs.entries()) expect(files, chosen[index]?.edit).toEqual(expectedOutputs[index]);
});
