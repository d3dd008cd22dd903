import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { projectRoot, testProject } from '../support/server.ts';

// Inside of the project, where imports find its packages.
const root = mkdtempSync(join(projectRoot, 'test/.tmp-dev-'));
const spec = join(root, 'spec/crm/competitor.yaml');

let dev: ChildProcess;
let output = '';

/** Waits until the output after `from` has this text. @returns where the output ends. */
async function printed(text: string | RegExp, from: number): Promise<number> {
  for (let waited = 0; waited < 30_000; waited += 20) {
    const rest = output.slice(from);
    if (typeof text === 'string' ? rest.includes(text) : text.test(rest)) return output.length;
    await sleep(20);
  }
  throw new Error(`Not printed in time: ${String(text)}\n${output}`);
}

/** Runs the curl line that was printed last, as somebody who pastes it; `more` goes behind it. */
function paste(more = ''): unknown {
  const line = [...output.matchAll(/curl .*$/gm)].at(-1)?.[0] ?? '';
  return JSON.parse(execFileSync('sh', ['-c', `${line} -s ${more}`], { encoding: 'utf8', stdio: 'pipe' }));
}

beforeAll(async () => {
  symlinkSync(join(projectRoot, 'runtime'), join(root, 'runtime'));
  for (const path of ['spec/service.yaml', 'spec/crm/competitor.yaml'])
    cpSync(join(testProject, path), join(root, path));
  const environment = { ...process.env, PORT: '0', HOST: '127.0.0.1', API_KEYS: '', DATABASE_URL: '' };
  dev = spawn(process.execPath, [join(projectRoot, 'generator/commands/dev.ts')], { cwd: root, env: environment });
  for (const stream of [dev.stdout, dev.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  await printed(/curl .*\n/, 0);
});

afterAll(() => {
  dev.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

test('generates, serves, and prints a curl line that works when pasted', () => {
  expect(output).toContain('wrote    generated/crm/competitor.schema.ts');
  expect(paste()).toEqual({ data: [], has_more: false, total: 0 });
});

test('follows a save, shows what is wrong with a spec and goes on serving, and ends with exit code 0', async () => {
  const good = readFileSync(spec, 'utf8');
  let end = output.length;

  writeFileSync(spec, good.replace('  website:', '  market:\n  website:'));
  await printed('wrote    generated/crm/competitor.schema.ts', end);
  await printed(/curl .*\n/, end);
  const body = `-H 'Content-Type: application/json' -d '{"competitor_name": "Acme", "market": "EU"}'`;
  expect(paste(body)).toMatchObject({ competitor_name: 'Acme', market: 'EU', website: null });

  end = output.length;
  writeFileSync(spec, good.replace('  website:', '  market: strin\n  website:'));
  await printed('unknown type "strin"', end);
  expect(output.slice(end)).toMatch(/\^{5}/);
  expect(paste()).toMatchObject({ total: 1 });

  end = output.length;
  writeFileSync(spec, good);
  await printed(/curl .*\n/, end);
  expect(paste()).toMatchObject({ total: 1, data: [expect.not.objectContaining({ market: 'EU' })] });

  const port = /127\.0\.0\.1:\d+(?![\s\S]*127\.0\.0\.1:\d+)/.exec(output)?.[0];
  dev.kill('SIGINT');
  expect(await once(dev, 'exit')).toEqual([0, null]);
  await expect(fetch(`http://${port}/healthz`)).rejects.toThrow();
});
