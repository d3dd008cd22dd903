import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { Command, Folder, npmStart } from '../server/command.ts';
import { projectRoot, testProject } from '../support/server.ts';

const prepare = join(projectRoot, 'runtime/cli/prepare-node.cjs');

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

test.concurrent('a folder .env is named', async () => {
  using folder = new Folder();
  mkdirSync(folder.file('.env'));
  symlinkSync(join(testProject, 'generated'), folder.file('generated'));
  const server = join(testProject, 'generated/server.ts');
  await using command = new Command(process.execPath, ['-r', prepare, server], { cwd: folder.path });
  expect(await command.end()).toMatchObject({ code: 1, stderr: expect.stringMatching(/^\.env cannot be read/) });
});
