import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { Command, type CommandOptions, Folder, npmStart } from '../server/command.ts';
import { projectRoot, testProject } from '../support/server.ts';

const prepare = join(projectRoot, 'runtime/cli/prepare-node.cjs');

/** A server as npm starts it, in a folder with this file `.env`. */
function serverWith(folder: Folder, text: string | Buffer, options: CommandOptions = {}, ...args: string[]): Command {
  writeFileSync(folder.file('.env'), text);
  const server = join(testProject, 'generated/server.ts');
  return new Command(process.execPath, ['-r', prepare, server, ...args], { ...options, cwd: folder.path });
}

test('npm start reads .env, the environment wins, and --verbose shows settings without secrets', async () => {
  using folder = new Folder();
  const url = `sqlite:${folder.file('here.db')}`;
  const keys = 'quite-a-secret-key-1,quite-a-secret-key-2';
  writeFileSync(folder.file('.env'), `# Settings\nPORT=1\nexport DATABASE_URL="${url}"\nAPI_KEYS='${keys}'\n`);
  await using server = npmStart(folder, { env: { PORT: '0' }, detached: true }, '--verbose');
  await server.url();
  const shown = server.stdout.slice(server.stdout.indexOf('The settings in use:')).replaceAll(/ +/g, ' ');
  expect(shown).toContain(`\n PORT 0\n HOST 127.0.0.1 (default)\n DATABASE_URL ${url}\n`);
  expect(shown).toContain('\n API_KEYS (2, hidden)\n');
  expect(shown).toContain('\n METRICS_PORT (not set)\n');
  expect(server.stdout).not.toContain('secret');
});

test.concurrent.each<[string, string | Buffer, string]>([
  [
    'a line without a value',
    'HOST=127.0.0.1\nPORT 0 secret\n',
    '.env:2: a line must be NAME=value, or begin with #.\n',
  ],
  ['a quote that is not closed', 'PORT=0\nAPI_KEYS="secret\n\n', '.env:2: the quote " is not closed.\n'],
  ['what is no text', Buffer.from([0x50, 0xff, 0x3d]), '.env cannot be read as text in UTF-8: '],
])('%s in .env is named, and no server starts', async (_, text, message) => {
  using folder = new Folder();
  await using server = serverWith(folder, text);
  const { code, stdout, stderr } = await server.end();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('secret');
});

test.concurrent('a folder .env is named', async () => {
  using folder = new Folder();
  mkdirSync(folder.file('.env'));
  symlinkSync(join(testProject, 'generated'), folder.file('generated'));
  const server = join(testProject, 'generated/server.ts');
  await using command = new Command(process.execPath, ['-r', prepare, server], { cwd: folder.path });
  expect(await command.end()).toMatchObject({ code: 1, stderr: expect.stringMatching(/^\.env cannot be read/) });
});

test.concurrent('a name in .env that is nearly a setting is suggested; a value may have several lines', async () => {
  using folder = new Folder();
  const text = `NOTE="a\nPORT b\n"\nOTHER=1\nDATABSE_URL=x\nDATABASE_URL=sqlite:${folder.file('here.db')}\n`;
  await using server = serverWith(folder, text, { env: { PORT: '0' } });
  await server.url();
  expect(server.stderr).toBe('.env: DATABSE_URL is no setting; did you mean "DATABASE_URL"?\n');
});
