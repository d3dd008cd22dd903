import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { commands as generatorCommands } from '../../generator/cli/descriptions.ts';
import { type CommandDescription, helpOf } from '../../runtime/cli/description.ts';
import { commands as serverCommands } from '../../runtime/cli/descriptions.ts';
import { settings } from '../../runtime/server/settings.ts';
import { service } from '../service/generated/app.ts';
import { runInProcess } from '../server/in-process.ts';
import { projectRoot } from '../support/server.ts';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

const ofCommand = ([name, command]: [string, CommandDescription]): [string, CommandDescription][] => [
  [name, command],
  ...Object.entries(command.commands ?? {}).map(([part, own]): [string, CommandDescription] => [
    `${name} ${part}`,
    own,
  ]),
];

const all = Object.entries<CommandDescription>({ ...generatorCommands, ...serverCommands }).flatMap(ofCommand);

test.each(all)('the help of %s has its usage, options, examples and exit codes, in 100 columns', (_, command) => {
  const help = helpOf(command);
  expect(help).toMatch(/^[A-Z][^]+\.\n\nUsage: (?:npm|npx) /);
  for (const [name, { does }] of Object.entries(command.options)) {
    expect(help).toContain(`  --${name}`);
    expect(help.replaceAll(/\s+/g, ' ')).toContain(does);
  }
  expect(command.examples.length).toBeGreaterThan(0);
  expect(help).toMatch(/\nExamples:\n {2}np[^]+\nExit codes:\n {2}0 +done\n {2}1 +failed/);
  expect(help.split('\n').filter((line) => line.length > 100)).toEqual([]);
});

test.each(all)('%s can be called as its help says', (_, { call }) => {
  const [program, run = '', script = ''] = call.split(' ');
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  if (program === 'npm') expect(Object.keys(scripts)).toContain(run === 'run' ? script : run);
  else expect(call).toBe('npx spec-to-server init');
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
