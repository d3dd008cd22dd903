import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect } from 'vitest';

import { generate } from '../../generator/generate.ts';
import { projectRoot } from './server.ts';

/**
 * Generates the code of a spec, with its hooks, for `startServer`, until the tests of the file are over.
 *
 * @returns the folder of the project
 */
export async function generateProject(texts: ReadonlyMap<string, string>): Promise<string> {
  // Inside of the project, where imports find its packages; with a dot, so that its own checks do not look in here.
  const folder = mkdtempSync(join(projectRoot, 'test/.tmp-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const { files, diagnostics } = await generate(texts);
  expect(diagnostics).toEqual([]);
  const hooks = [...texts].filter(([path]) => path.endsWith('.hooks.ts'));
  const generated = Array.from(files, ([path, text]): [string, string] => [join('generated', path), text]);
  for (const [path, text] of [...hooks, ...generated]) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  symlinkSync(join(projectRoot, 'runtime'), join(folder, 'runtime'));
  return folder;
}
