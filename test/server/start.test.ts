import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';

import { service } from '../service/generated/app.ts';
import { CliError } from '../../runtime/kernel/model/errors.ts';
import { openSqlite } from '../support/main-store.ts';
import { testUnless } from '../support/disk.ts';
import { projectRoot, startServer, testKey } from '../support/server.ts';
import { Command, expectRefusedStart, Folder, serverCommand } from './command.ts';
import { serviceName } from '../support/databases.ts';
import { readSettings } from '../support/settings.ts';

async function refusalOf(env: Record<string, string>): Promise<string> {
  await using server = serverCommand({ env });
  return expectRefusedStart(await server.end());
}

const settings = [
  'PORT',
  'HOST',
  'DATABASE_URL',
  'READ_DATABASE_URL',
  'WORKERS',
  'MAX_BUFFERED_MIB',
  'API_KEYS',
  'LOG_LEVEL',
  'METRICS_PORT',
];

/** The settings that a refusal names, each of which has a line of its own. */
function settingsNamedIn(message: string): string[] {
  const lines = message.trimEnd().split('\n');
  const named = settings.filter((name) => lines.some((line) => line.trim().startsWith(name)));
  expect(lines.slice(1)).toHaveLength(named.length);
  return named;
}

test('a start warns if the SQLite file is on a file system of a network, and not otherwise', async () => {
  // No machine of the tests has one: the process is told so of its disk.
  const program = `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { statfsSync } = fs;
    fs.statfsSync = (...args) => Object.assign(statfsSync(...args), { type: 0x6969 });
    syncBuiltinESMExports();`;
  const url = `data:text/javascript,${encodeURIComponent(program)}`;
  await using server = await startServer({ alone: true, env: { NODE_OPTIONS: `--import ${url}` } });
  await expect
    .poll(() => server.output)
    .toMatch(/is on a file system of the kind NFS, which may lose writes\. Move it to a local disk\./);
  await using other = await startServer();
  expect(other.output).not.toContain('file system');
});

describe.concurrent('settings that are wrong', () => {
  test('are all named in one message, and nothing is made', async () => {
    using folder = new Folder();
    const url = `sqlite:${folder.file('data/records.db')}`;
    const two = await refusalOf({ PORT: 'abc', API_KEYS: 'a-good-key-of-16,a secret key of 22', DATABASE_URL: url });
    expect(settingsNamedIn(two)).toEqual(['PORT', 'API_KEYS']);
    expect(two).toContain('abc');
    expect(two).not.toContain('secret');
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('are named whichever they are, without a password', async () => {
    const url = 'mysql://user:secret@localhost/records';
    const env = {
      PORT: '70000',
      HOST: 'local host',
      DATABASE_URL: url,
      READ_DATABASE_URL: 'postgres://someone:secret@localhost/records?sslmode=on',
      WORKERS: '0',
      MAX_BUFFERED_MIB: '-1',
      API_KEYS: '"secret"',
      LOG_LEVEL: 'loud',
      METRICS_PORT: 'on',
    };
    const all = await refusalOf(env);
    expect(settingsNamedIn(all)).toEqual(settings);
    expect(all).toContain('READ_DATABASE_URL is not valid: sslmode must be one of disable, require,');
    expect(all).toContain('LOG_LEVEL is "loud"; it must be one of debug, info, warn, error, silent.');
    expect(all).toContain('WORKERS is "0"; it must be a number from 1 to 256, or auto.');
    expect(all).not.toContain('secret');
  });

  test('an option that is nearly right is suggested', async () => {
    await using server = serverCommand({}, '--show-kay');
    expect(expectRefusedStart(await server.end(), 2)).toContain(`'--show-kay'; did you mean "--show-key"?`);
  });

  test('do not include an empty one, which counts as absent', async () => {
    using folder = new Folder();
    const env = { HOST: '', API_KEYS: '', DATABASE_URL: `sqlite:${folder.file('records.db')}` };
    await using server = serverCommand({ env });
    expect(await server.url()).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });
});

/** The messages about settings, without a process: the tests above show that they reach the user. */
function settingsRefusedOf(env: Record<string, string>): string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(CliError);
    return settingsNamedIn((error as CliError).message);
  }
}

test.each([
  ['PORT', 'abc'],
  ['PORT', '70000'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80.5'],
  ['PORT', '0x50'],
  ['PORT', ' 80'],
  ['HOST', 'local host'],
  ['HOST', 'http://localhost'],
  ['HOST', '\n'],
  ['DATABASE_URL', 'mysql://localhost/records'],
  ['DATABASE_URL', 'data/records.db'],
  ['DATABASE_URL', 'sqlite:'],
  ['DATABASE_URL', 'sqlite://'],
  ['DATABASE_URL', 'sqlite://data/records.db'],
  // SQLite, which is the default, has no replicas.
  ['READ_DATABASE_URL', 'postgres://localhost/records'],
  ['API_KEYS', 'good-key-0123456789,bad key 0123456789'],
  ['API_KEYS', '"key-0123456789abc"'],
  ['API_KEYS', 'ké-0123456789abcdef'],
  ['API_KEYS', 'a=b-0123456789abcdef'],
  ['API_KEYS', '0123456789abcde'],
  ['API_KEYS', 'good-key-0123456789,short'],
  ['LOG_LEVEL', 'INFO'],
  ['LOG_LEVEL', 'trace'],
  ['METRICS_PORT', 'off'],
  ['METRICS_PORT', '65536'],
  ['WORKERS', '0'],
  ['WORKERS', '-1'],
  ['WORKERS', 'x'],
  ['WORKERS', '1.5'],
  ['WORKERS', '257'],
  ['WORKERS', ' 2'],
  ['MAX_BUFFERED_MIB', '0'],
  ['MAX_BUFFERED_MIB', '256M'],
])('%s=%j is wrong', (name, value) => {
  expect(settingsRefusedOf({ [name]: value })).toEqual([name]);
});

test.each([
  ['PORT', '0'],
  ['PORT', '65535'],
  ['HOST', '::1'],
  ['HOST', '0.0.0.0'],
  ['HOST', 'localhost'],
  ['DATABASE_URL', 'sqlite:records.db'],
  ['DATABASE_URL', 'sqlite:/tmp/records.db'],
  ['DATABASE_URL', 'sqlite:///tmp/records.db'],
  ['DATABASE_URL', 'sqlite:./with space.db'],
  ['API_KEYS', '0123456789abcdef, 0123456789-._~+/ ,0123456789abcd=='],
  ['LOG_LEVEL', 'silent'],
  ['METRICS_PORT', '0'],
  ['WORKERS', '256'],
  ['MAX_BUFFERED_MIB', '1024'],
  ['WORKERS', 'auto'],
])('%s=%j is right', (name, value) => {
  expect(settingsRefusedOf({ [name]: value })).toEqual([]);
});

describe.concurrent('an address', () => {
  test('whose port is in use', async () => {
    using folder = new Folder();
    await using first = await startServer();
    const env = { PORT: String(first.port), DATABASE_URL: `sqlite:${folder.file('records.db')}` };
    const message = await refusalOf(env);
    expect(message).toContain(`${first.port}`);
    expect(message).toContain('PORT');
    expect((await first.request('GET', '/readyz')).status).toBe(200);
  });

  test('that this machine does not have', async () => {
    using folder = new Folder();
    // RFC 5737: no host has this address.
    const message = await refusalOf({ HOST: '192.0.2.1', DATABASE_URL: `sqlite:${folder.file('records.db')}` });
    expect(message).toContain('192.0.2.1');
    expect(message).toContain('HOST');
  });
});

test.concurrent.each(['--frob', 'frob'])('an option that nobody knows: %s', async (option) => {
  using folder = new Folder();
  await using server = serverCommand({ env: { DATABASE_URL: `sqlite:${folder.file('data/records.db')}` } }, option);
  const message = expectRefusedStart(await server.end(), 2);
  expect(message).toMatch(
    option === 'frob' ? /^There is no command "frob"; there are start, / : /^Unknown option '--frob'\.\n/,
  );
  expect(message).toContain('\nUsage: npm start -- [options]\n`npm start -- --help` says more.\n');
  expect(readdirSync(folder.path)).toEqual([]);
});

describe.concurrent('a folder that cannot be made', () => {
  test('below a file', async () => {
    using folder = new Folder();
    writeFileSync(folder.file('file'), 'kept');
    const file = folder.file('file/folder/records.db');
    expect(await refusalOf({ DATABASE_URL: `sqlite:${file}` })).toContain(file);
    expect(readFileSync(folder.file('file'), 'utf8')).toBe('kept');
  });

  const missing = existsSync('/proc/self') ? undefined : 'there is no /proc';
  testUnless(missing, 'in /proc, where nobody can make one', async () => {
    expect(await refusalOf({ DATABASE_URL: 'sqlite:/proc/records/records.db' })).toContain('/proc/records');
  });
});

describe.concurrent('a file that is not ours', () => {
  const notes = Buffer.from('These are notes, and no database.\n'.repeat(200));

  /** Makes a database of another program, with its name in it. */
  function makeOther(file: string, mode: string): Buffer {
    const other = new DatabaseSync(file);
    other.exec(`pragma journal_mode = ${mode}; create table lead (id text primary key, name text);
      insert into lead values ('lead_1', 'kept')`);
    other.close();
    return readFileSync(file);
  }

  /** Opens it as the start does. */
  async function expectRefused(file: string): Promise<void> {
    await expect(openSqlite(file, service.tables, serviceName)).rejects.toThrow(
      expect.objectContaining({ name: 'CliError', message: expect.stringContaining(file) }),
    );
  }

  test('is refused by a start, and stays as it is', async () => {
    using folder = new Folder();
    writeFileSync(folder.file('notes.txt'), notes);
    const before = makeOther(folder.file('other.db'), 'delete');
    for (const name of ['notes.txt', 'other.db']) {
      const message = await refusalOf({ DATABASE_URL: `sqlite:${folder.file(name)}` });
      expect(message.trimEnd().split('\n')).toHaveLength(1);
      expect(message).toContain(folder.file(name));
    }
    expect(readFileSync(folder.file('notes.txt')).equals(notes)).toBe(true);
    expect(readFileSync(folder.file('other.db')).equals(before)).toBe(true);
    expect(readdirSync(folder.path)).toEqual(['notes.txt', 'other.db']);
  });

  test.each([
    ['a short text', notes.subarray(0, 3)],
    ['a long text', notes],
    ['the beginning of an SQLite file', Buffer.concat([Buffer.from('SQLite format 3\0'), notes])],
  ])('%s', async (_, bytes) => {
    using folder = new Folder();
    const file = folder.file('notes.txt');
    writeFileSync(file, bytes);
    await expectRefused(file);
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(readdirSync(folder.path)).toEqual(['notes.txt']);
  });

  test('a folder', async () => {
    using folder = new Folder();
    mkdirSync(folder.file('records.db'));
    await expectRefused(folder.file('records.db'));
    expect(readdirSync(folder.path, { recursive: true })).toEqual(['records.db']);
  });

  test.each(['delete', 'wal'])("another program's database with journal_mode=%s", async (mode) => {
    using folder = new Folder();
    const before = makeOther(folder.file('other.db'), mode);
    await expectRefused(folder.file('other.db'));
    expect(readFileSync(folder.file('other.db')).equals(before)).toBe(true);
    expect(readdirSync(folder.path)).toEqual(['other.db']);
  });
});

test.concurrent('a database of ours that another program has locked', async () => {
  using folder = new Folder();
  const file = folder.file('records.db');
  await (await openSqlite(file, service.tables, serviceName)).close();
  const other = new DatabaseSync(file);
  try {
    other.exec('begin immediate');
    expect(await refusalOf({ DATABASE_URL: `sqlite:${file}`, API_KEYS: testKey })).toContain(file);
  } finally {
    other.close();
  }
});

describe.concurrent('on a Node that is too old', () => {
  const claim = (version: string): string =>
    `Object.defineProperty(process.versions, 'node', { value: ${JSON.stringify(version)} });`;
  const prepare = JSON.stringify(join(projectRoot, 'runtime/cli/prepare-node.cjs'));
  const requireNode = (version: string, cwd = projectRoot): Command =>
    new Command(process.execPath, ['-e', `${claim(version)} require(${prepare}); console.log('went on')`], { cwd });

  test.each(['20.1.0', '25.11.1', '0.12.18'])('%s: one line says so', async (version) => {
    await using command = requireNode(version);
    const message = expectRefusedStart(await command.end());
    expect(message).toMatch(/^[^\n]+\n$/);
    expect(message).toContain(`Node ${version}.`);
    expect(message).toContain('Node 26');
  });

  test('it says to use the Node that the project has, or to install one', async () => {
    using folder = new Folder();
    await using own = requireNode('20.1.0');
    expect(expectRefusedStart(await own.end())).toContain('Run it by `npx` or `npm run`');
    await using none = requireNode('20.1.0', folder.path);
    expect(expectRefusedStart(await none.end())).toContain('run `npm ci` without --omit=dev');
  });

  test.each(['26.0.0', '100.0.0'])('%s is not', async (version) => {
    await using command = requireNode(version);
    expect(await command.end()).toMatchObject({ code: 0, stdout: 'went on\n', stderr: '' });
  });

  test('the script of `npm start` says so before anything else', async () => {
    using folder = new Folder();
    writeFileSync(folder.file('claim.cjs'), claim('20.1.0'));
    const shim = `#!/bin/sh\nexec '${process.execPath}' -r '${folder.file('claim.cjs')}' "$@"\n`;
    writeFileSync(folder.file('node'), shim, { mode: 0o755 });
    const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      scripts: { start: string };
    };
    const env = { PATH: `${folder.path}:${process.env['PATH']}`, DATABASE_URL: 'mysql://x' };
    await using command = new Command('sh', ['-c', manifest.scripts.start], { env });
    expect(expectRefusedStart(await command.end())).toMatch(/^[^\n]*Node 20\.1\.0[^\n]*\n$/);
  });
});
