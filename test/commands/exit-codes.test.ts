import { afterAll, beforeAll, expect, test } from 'vitest';

import { runInProcess } from '../server/in-process.ts';
import { Folder } from '../server/command.ts';
import { service } from '../service/generated/app.ts';
import { runCommand } from '../support/commands.ts';

let folder: Folder;
beforeAll(() => (folder = new Folder()));
afterAll(() => folder[Symbol.dispose]());

const key = '--name key --scope';

// Import finds the server of this port only if the file of its key is there.
test.each<[code: number, line: string, message: string]>([
  [2, 'keys', 'A command is missing'],
  [2, `keys create ${key} crn`, 'did you mean "crm"?'],
  [1, `keys create ${key} crm`, 'There is no database'],
  [1, 'organizations list', 'npm run migrate'],
  [2, 'migrate --drp lead', 'did you mean "--drop"?'],
  [1, 'migrate --distribute', 'names an SQLite file'],
  [2, 'backup', 'An argument is missing'],
  [1, 'backup FOLDER/copy.db', 'There is no database'],
  [2, 'restore one two', 'an argument too many: "two"'],
  [1, 'restore FOLDER/copy.db', 'There is no database'],
  [2, 'demo --count 0', 'a number from 1'],
  [1, 'demo', 'An API key is missing'],
  [2, 'import crm/leat leads.csv', 'did you mean "crm/lead"?'],
  [2, 'import crm/lead leads.csv --map Name=lead_nam', 'there is no field "lead_nam"; did you mean "lead_name"?'],
  [2, 'import crm/lead leads.csv --api-key -secret', "Unknown option '--api-key'"],
  [1, 'import crm/lead FOLDER/leads.csv --dry-run', 'cannot be read'],
  [2, 'export crm/lead --url localhost:3000', 'must be the URL of a server'],
  [2, 'start --verbos', 'did you mean "--verbose"?'],
])('%i: %s', async (code, line, message) => {
  const env = { DATABASE_URL: `sqlite:${folder.file('none/records.db')}`, API_KEY: '', API_KEYS: '' };
  const end = await runInProcess(service, env, ...line.replaceAll('FOLDER', folder.path).split(' '));
  expect(end).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  expect(end.stderr).not.toContain('secret');
});

test.concurrent.each<[code: number, name: string, line: string, message: string]>([
  [2, 'generate', '--format xml', 'There is no format "xml"'],
  [2, 'new', 'lead', 'must be <area>/<resource>'],
  [1, 'new', 'crm/phone --kind line-item --parent crm/none', 'There is no resource crm/none'],
  [1, 'changes', '', 'is not in a Git repository'],
])('%i: %s %s', async (code, name, line, message) => {
  const end = await runCommand(name, folder.path, line.split(' ').filter(Boolean));
  expect(end).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
});
