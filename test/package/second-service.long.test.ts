import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

import { freePort } from '../support/postgres.ts';
import { projectRoot } from '../support/server.ts';
import { pack } from './pack.ts';

const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), 'second-service-page-'));
const clone = join(folder, 'business-records');
const library = join(folder, 'library');
const consumer = join(folder, 'consumer');

// As a user's shell has it: without the variables of the npm that runs the tests, and with the machine's own Node.
const env: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_|INIT_CWD|VITEST|TEST)/i.test(name)),
  ),
  PATH: process.env['PATH']
    ?.split(delimiter)
    .filter((path) => !path.includes('node_modules'))
    .join(delimiter),
  npm_config_prefer_offline: 'true',
};

const page = readFileSync(join(projectRoot, 'docs/second-service.md'), 'utf8');
const blocks = (language: string): string[] =>
  Array.from(page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm')), ([, code = '']) => code);

const shell = (commands: string, cwd: string) => run('bash', ['-e', '-c', commands], { cwd, env });

let dev: ChildProcess | undefined;
afterAll(async () => {
  if (dev?.pid !== undefined && dev.exitCode === null) {
    const end = new Promise((resolve) => dev?.once('exit', resolve));
    // It has processes of its own.
    process.kill(-dev.pid, 'SIGTERM');
    await end;
  }
  rmSync(folder, { recursive: true, force: true });
});

test('docs/second-service.md makes a library, and a client that another project installs without anything else', async () => {
  const [making = '', describing = '', lending = '', packing = '', ...others] = blocks('sh');
  expect(others).toEqual([]);
  // The clone, as far as the page names it.
  mkdirSync(clone);
  await pack(clone);
  cpSync(join(projectRoot, 'docs/library'), join(clone, 'docs/library'), { recursive: true });

  mkdirSync(library);
  const serving = 'npm run dev\n';
  expect(making.endsWith(serving)).toBe(true);
  await shell(making.slice(0, -serving.length), library);
  const url = `http://127.0.0.1:${await freePort()}`;
  const here = (text: string): string => text.replaceAll('http://127.0.0.1:3000', url);
  dev = spawn('bash', ['-c', serving], {
    cwd: library,
    env: { ...env, PORT: new URL(url).port },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const printed = createInterface({ input: dev.stdout! });
  const lines = printed[Symbol.asyncIterator]();
  const isServed = async (what: string): Promise<boolean> => {
    const response = await fetch(`${url}/openapi.json`).catch(() => undefined);
    return response !== undefined && (await response.text()).includes(what);
  };
  // It prints lines when it serves, and after each save.
  const untilServed = async (what: string): Promise<void> => {
    while (!(await isServed(what))) expect(await lines.next(), what).toMatchObject({ done: false });
  };
  await untilServed('/api/office/note');

  await shell(describing, library);
  await untilServed('/api/lending/fine');
  expect(await isServed('/api/office/note')).toBe(false);

  const { stdout } = await shell(here(lending), library);
  const [, loans, members, books] = stdout
    .replaceAll('}{', '}\n{')
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(loans).toMatchObject({
    data: [{ copy: { shelf: 'A 12' }, member: { name: 'Ada' }, fine: { data: [{ amount: '0.20' }] } }],
  });
  expect(members).toMatchObject({ data: [{ card_number: 'B-00001', open_loans: 1, loans: { total: 1 } }] });
  expect(books).toMatchObject({ data: [{ title: 'Emma' }] });
  const again = JSON.parse((await shell(here(lending.replace(/\ncurl -s '[^]*/, '')), library)).stdout) as object;
  expect(again).toMatchObject({ code: 'not_unique', conflicting_id: expect.stringMatching(/^book_/) });

  await shell(packing, library);
  mkdirSync(consumer);
  writeFileSync(join(consumer, 'package.json'), '{ "type": "module" }');
  const [install = ''] = /npm install \.\.\/library\/\S+\.tgz/.exec(page) ?? [];
  await shell(`${install} --offline --no-audit`, consumer);
  expect(readdirSync(join(consumer, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['library']);
  const installed = JSON.parse(readFileSync(join(consumer, 'node_modules/library/package.json'), 'utf8')) as object;
  expect(installed).not.toHaveProperty('dependencies');
  expect(installed).not.toHaveProperty('private');
  const { stdout: bytes } = await run('du', ['-sb', 'node_modules'], { cwd: consumer });
  expect(parseInt(bytes)).toBeLessThan(1_000_000);

  // The code of the page, around which stands what it takes for granted.
  const [use = ''] = blocks('ts');
  const key = readFileSync(join(library, 'data/api-key'), 'utf8').trim();
  const [loan] = (loans as { data: { id: string }[] }).data;
  const given = `const key = ${JSON.stringify(key)};\nconst id = ${JSON.stringify(loan?.id)};\n`;
  const after = `const [loan] = (await api.lending.loan.list({ expand: ['copy_id', 'fine'] })).data;
const shelf: string | undefined = loan?.copy?.shelf;
const amounts: string[] | undefined = loan?.fine.data.map(({ amount }) => amount);
// @ts-expect-error a loan has no such field
loan?.nothing;
console.log(loan?.status, shelf, amounts);\n`;
  writeFileSync(join(consumer, 'use.mts'), given + here(use) + after);
  const settings = {
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom'],
    types: [],
    noEmit: true,
    strict: true,
  };
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions: settings, files: ['use.mts'] }));
  const checked = await shell(`npx tsc -p ${consumer}`, library).catch((failure: { stdout: string }) => failure);
  expect(checked.stdout).toBe('');
  expect((await run(process.execPath, ['use.mts'], { cwd: consumer })).stdout).toBe("returned A 12 [ '0.20' ]\n");
});
