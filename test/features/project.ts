import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';

import { generate } from '../../generator/generate.ts';
import { Copy } from '../generator/copy.ts';
import { projectRoot } from '../support/server.ts';

const run = promisify(execFile);

const specs = new Map([
  ['spec/service.yaml', 'name: shop\ntitle: Shop\ndoc: Sells things.\nversion: 1.0.0\nlicense: MIT\n'],
  [
    'spec/crm/lead.yaml',
    'kind: record\ndoc: A lead.\nlist: { filter: [name], sort: [age] }\nfields: { name: { required: true }, age: integer }\n',
  ],
]);

/** The path of the one resource of `copyProject`. */
export const leadPath = '/api/crm/lead';

/** A copy of the runtime, with a service of one resource, which needs no feature. */
export async function copyProject(): Promise<Copy> {
  const copy = new Copy('runtime', 'tsconfig.json', 'package.json');
  const { files, diagnostics } = await generate(specs);
  expect(diagnostics).toEqual([]);
  for (const [path, text] of files) {
    const target = join(copy.root, 'generated', path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return copy;
}

/** @returns what the compiler complains about */
export async function compile({ root }: Copy): Promise<string> {
  const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
  return await run(process.execPath, [compiler], { cwd: root }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}
