import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { features } from '../../runtime/features.ts';
import { settingsOf } from '../../runtime/server/settings.ts';
import { service } from '../service/generated/app.ts';
import { runInProcess } from '../server/in-process.ts';
import { projectRoot } from '../support/server.ts';

const settings = settingsOf(features);

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

const names = [
  'start',
  'migrate',
  'keys',
  'organizations',
  'webhooks',
  'backup',
  'restore',
  'demo',
  'import',
  'events',
  'export',
];

test.each(names)('the help of %s has its usage, options and exit codes, and its call is a script', async (name) => {
  const { code, stdout } = await runInProcess(service, {}, name, '--help');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^[A-Z][^]+\.\n\nUsage:\s+npm [^]+\nOptions:\n[^]+\nExit codes:\n {2}0 {2}done\n {2}1 {2}failed/,
  );
  const [, run = '', script = ''] = /^Usage:\s+npm (\S+)(?: (\S+))?/m.exec(stdout) ?? [];
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect(Object.keys(scripts)).toContain(run === 'run' ? script : run);
});

test.each(names)('%s is a command of the installed package', (name) => {
  const cli = join(projectRoot, 'generator/cli/cli.ts');
  const { status, stderr } = spawnSync(process.execPath, [cli, name], { cwd: tmpdir(), encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('generated/server.ts is missing: generate it with `npm run generate`.');
});

test.each(names)('%s knows the options of its help, and whether they take a value', async (name) => {
  const { stdout } = await runInProcess(service, {}, name, '--help');
  for (const [, part = '', lines = ''] of stdout.matchAll(/^Options(?: of (\w+))?:\n((?: .+\n)+)/gm)) {
    const options = [...lines.matchAll(/^ {2}(--[a-z-]+)( \S+)?/gm)].filter(([, option]) => option !== '--help');
    const given = options.flatMap(([, option = '', value]) => (value === undefined ? [option] : [option, 'x']));
    const { stderr } = await runInProcess(service, {}, name, ...(part === '' ? [] : [part]), ...given, '--unknown');
    if (given.length > 0) expect(stderr).toContain("Unknown option '--unknown'");
  }
});

describe('npm start -- --help', () => {
  test('lists every setting with its default', async () => {
    const { code, stdout, stderr } = await runInProcess(service, { PORT: 'wrong' }, '--help');
    expect([code, stderr]).toEqual([0, '']);
    const help = stdout.replaceAll(/\s+/g, ' ');
    for (const [name, { default: absent, meaning }] of Object.entries(settings)) {
      expect(help).toContain(` ${name} ${meaning}${absent === '' ? '' : ` (default: ${absent})`} `);
    }
  });

  test('a misspelt command is suggested', async () => {
    expect(await runInProcess(service, {}, 'migrat')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^There is no command "migrat"; did you mean "migrate"\?\nUsage: npm start /),
    });
  });

  test('an option that npm has taken for itself is refused, and nothing is done', async () => {
    expect(await runInProcess(service, { npm_config_recount: 'true' }, 'migrate')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('npm took --recount for itself; it comes after `npm run migrate --`.'),
    });
    // npm turns the options of `npm run migrate --plan` into these variables.
    const apart = { npm_config_all: 'true', npm_config_long: 'true', npm_config_parseable: 'true', npm_config_yes: '' };
    expect(await runInProcess(service, apart, 'migrate')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('npm took --plan for itself; it comes after `npm run migrate --`.'),
    });
  });
});

describe('settings', () => {
  test('are all documented with their defaults, and no others', () => {
    const rows = read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` +\| (?:`([^`]*)`)? *\|/gm);
    const documented = Object.fromEntries([...rows].map(([, name = '', absent = '']) => [name, absent]));
    expect(documented).toEqual(
      Object.fromEntries(Object.entries(settings).map(([name, { default: absent }]) => [name, absent])),
    );
  });

  test('are all in .env.example, which sets none', () => {
    const lines = read('.env.example').trimEnd().split('\n');
    expect(lines.filter((line) => !/^(?:#.*)?$/.test(line))).toEqual([]);
    const named = lines.flatMap((line) => /^# ([A-Z_]+)=/.exec(line)?.[1] ?? []);
    expect(named).toEqual(Object.keys(settings));
  });
});
