import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

import { compile } from '../support/compiler.ts';
import { projectRoot, testKey } from '../support/server.ts';
import { sharedServer } from './server.ts';

const run = promisify(execFile);

const server = sharedServer();

test('the examples of docs/client.md compile and run, one after the other', async () => {
  const text = readFileSync(join(projectRoot, 'docs/client.md'), 'utf8');
  const [first = '', ...others] = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
  expect(others.length).toBeGreaterThanOrEqual(7);
  const program = [first, ...others.map((code) => `{\n${code}}\n`)].join('\n');
  const here = program
    .replace("'../generated/client.ts'", `'${join(projectRoot, 'generated/client.ts')}'`)
    .replace('http://127.0.0.1:3000', server.url);

  // Inside of the project, where the types of Node are found.
  const folder = mkdtempSync(join(projectRoot, 'test/.tmp-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'examples.ts'), here);
  const settings = { extends: join(projectRoot, 'tsconfig.json'), files: ['examples.ts'], include: [], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  expect(await compile(folder)).toBe('');

  const env = { ...process.env, API_KEY: testKey };
  const { stdout, stderr } = await run(process.execPath, [join(folder, 'examples.ts')], { env });
  expect(stdout.trim().split('\n').at(-1)).toBe('1');
  expect(stdout).toContain('submitted');
  expect(stderr).toContain('No competitor has the id');
});
