import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { generate } from '../../generator/generate.ts';
import { type GoldenCase, goldenCases, keptOutput, outputOf } from './golden.ts';

// `UPDATE_GOLDEN=1 npx vitest run test/generator/golden.test.ts` writes what comes out instead of comparing it.
const isUpdate = process.env['UPDATE_GOLDEN'] !== undefined;
if (isUpdate && process.env['CI']) throw new Error('UPDATE_GOLDEN is set in CI, where a test must be able to fail.');

/** Replaces what must come out; a spec that was refused and is not any more, or the reverse, takes a deliberate hand. */
function update({ name, folder, expected, isValid }: GoldenCase, output: ReadonlyMap<string, string>): void {
  const isAccepted = [...output.keys()].some((path) => path.startsWith('want/'));
  if (expected.size > 0 && isAccepted !== isValid) {
    const change = isValid ? 'was accepted, and is refused' : 'was refused, and is accepted';
    throw new Error(`The spec of ${name} ${change} now. If that is right, remove what it has beside spec/.`);
  }
  rmSync(join(folder, 'want'), { recursive: true, force: true });
  rmSync(join(folder, 'diagnostics.txt'), { force: true });
  for (const [path, text] of output) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

describe.each([
  ['accepted', true],
  ['refused', false],
])('%s', (_, isValid) => {
  test.each(goldenCases.filter((goldenCase) => goldenCase.isValid === isValid))('$name', async (goldenCase) => {
    const generated = await generate(goldenCase.specs);
    const output = keptOutput(goldenCase, outputOf(generated));
    if (isUpdate) update(goldenCase, output);
    // A file of want/ that does not come out fails too.
    else expect(output).toEqual(goldenCase.expected);

    // An empty message, a repeated one, and one about a location where nothing stands would be no help.
    const lines = generated.diagnostics.map(({ file, line, column, endColumn, message }) => {
      const text = goldenCase.specs.get(file) ?? '';
      const meant = text.trim() === '' ? ' ' : text.split('\n')[line - 1];
      expect(message).toMatch(/^\S.*\S$/);
      expect(meant?.length, `${file}:${line}:${column}`).toBeGreaterThanOrEqual(column);
      expect(endColumn).toBeGreaterThan(column);
      return `${file}:${line}:${column} ${message}`;
    });
    expect(new Set(lines).size).toBe(lines.length);
  });
});

test('the cases are all there', () => {
  expect(goldenCases.filter(({ isValid }) => isValid).length).toBeGreaterThanOrEqual(8);
  const diagnostics = goldenCases.flatMap(({ expected }) => expected.get('diagnostics.txt')?.split('\n') ?? []);
  expect(diagnostics.length).toBeGreaterThanOrEqual(900);
});
