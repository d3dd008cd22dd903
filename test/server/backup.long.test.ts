import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { service } from '../service/generated/app.ts';
import { openSqlite } from '../support/main-store.ts';
import { Disk, testDisk } from '../support/disk.ts';
import { startServer, testProject, type TestServer } from '../support/server.ts';
import { Command, type End, expectRefusedStart, Folder } from './command.ts';
import { runInProcess } from './in-process.ts';
import { serviceName } from '../support/databases.ts';

const competitors = '/api/crm/competitor';
const settings = '/api/workshop/booking-settings';
const slots = '/api/workshop/booking-slot';

type Name = 'backup' | 'restore';

const settingsFor = (database: string) => ({ DATABASE_URL: database.includes(':') ? database : `sqlite:${database}` });

/** `node generated/server.ts backup` or `restore`, for the database of a file or a URL. */
const command = (name: Name, database: string, ...args: string[]): Command =>
  new Command(process.execPath, [join(testProject, 'generated/server.ts'), name, ...args], {
    env: settingsFor(database),
  });

/** The same to its end, while other processes use the database. */
async function endOf(name: Name, database: string, ...args: string[]): Promise<End> {
  await using running = command(name, database, ...args);
  return await running.end();
}

/** The same without a process, where that adds nothing. */
const inProcess = (name: Name, database: string, ...args: string[]): Promise<End> =>
  runInProcess(service, settingsFor(database), name, ...args);

function expectDone(end: End): string {
  expect(end).toMatchObject({ code: 0, signal: null, stderr: '' });
  return end.stdout;
}

function expectRefusal(end: End): string {
  const message = expectRefusedStart(end);
  expect(message).toMatch(/^[^\n]+\n$/);
  return message;
}

const done = async (...args: Parameters<typeof inProcess>): Promise<string> => expectDone(await inProcess(...args));

const refusal = async (...args: Parameters<typeof inProcess>): Promise<string> =>
  expectRefusal(await inProcess(...args));

/** Makes a database of the service, with nothing in it. */
async function makeDatabase(file: string): Promise<string> {
  await (await openSqlite(file, service.tables, serviceName)).close();
  return file;
}

/** Asks a file, without any journal beside it, and checks that it is whole. */
function ask<Row>(file: string, sql: string): Row[] {
  expect(readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}-`))).toEqual([]);
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    return database.prepare(sql).all() as Row[];
  } finally {
    database.close();
  }
}

async function create(server: TestServer, path: string, body: unknown): Promise<string> {
  const answer = await server.request('POST', path, body);
  expect(answer.status).toBe(201);
  return (answer.body as { id: string }).id;
}

/** Makes a database of several thousand pages, so that a copy takes its time. */
async function makeLarge(file: string): Promise<string> {
  await makeDatabase(file);
  using connection = new DatabaseSync(file);
  connection.exec(`insert into "attachment" ("_organization", "id", "created_at", "updated_at", "data")
    select 1, 'attachment_' || value, '', '', printf('%.*c', 8000000, 'x') from json_each('[1, 2, 3]');
    update "_row_counter" set "count" = 3 where "table" = 'attachment'`);
  return file;
}

test('on a terminal, a backup shows how far it is', async () => {
  using folder = new Folder();
  const database = await makeLarge(folder.file('records.db'));
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  try {
    await done('backup', database, folder.file('copy.db'));
    const shown = write.mock.calls.map(([text]) => String(text)).join('');
    expect(shown).toMatch(/Copying \S+records\.db {2}\[#*\.+\] +\d+ % {2}[\d,]+ pages, [\d,]+ a second/);
  } finally {
    process.stderr.isTTY = isTTY;
    write.mockRestore();
  }
});

describe.concurrent('backup', () => {
  const largeFolder = new Folder();
  let largeFile: string;
  beforeAll(async () => {
    largeFile = await makeLarge(largeFolder.file('records.db'));
  });
  afterAll(() => largeFolder[Symbol.dispose]());

  test('while clients write: it has every write confirmed before, and a prefix of the later ones', async () => {
    using folder = new Folder();
    using home = new Folder();
    const database = await makeLarge(home.file('records.db'));
    await using server = await startServer({ folder: home.path });
    const before: string[] = [];
    for (let i = 0; i < 20; i++) await create(server, competitors, { competitor_name: `before ${i}` });
    const slot = await create(server, slots, {
      booking_settings_id: ((await server.request('GET', settings)).body as { id: string }).id,
      day_of_week: 'monday',
      from_time: '09:00',
      to_time: '12:00',
    });
    const enough = new AbortController();
    const clients = Array.from({ length: 8 }, async () => {
      const ids: string[] = [];
      while (!enough.signal.aborted) ids.push(await create(server, competitors, { competitor_name: 'meanwhile' }));
      return ids;
    });
    const file = folder.file('backup.db');
    const said = expectDone(await endOf('backup', database, file));
    enough.abort();
    const written = await Promise.all(clients);

    const found = new Set(ask<{ id: string }>(file, 'select "id" from "competitor"').map(({ id }) => id));
    expect(before.filter((id) => !found.has(id))).toEqual([]);
    for (const ids of written) {
      const missing = ids.findIndex((id) => !found.has(id));
      if (missing !== -1) expect(ids.slice(missing).filter((id) => found.has(id))).toEqual([]);
    }
    expect(written.flat().length).toBeGreaterThan(0);
    expect(ask(file, 'select "id" from "booking_slot"')).toEqual([{ id: slot }]);
    expect(ask(file, `select sum("count") as "count" from "_row_counter" where "table" = 'competitor'`)).toEqual([
      { count: found.size },
    ]);
    expect(readdirSync(folder.path)).toEqual(['backup.db']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(said).toContain(file);
    expect(said).toContain(`${statSync(file).size.toLocaleString('en')} bytes`);
  });

  test('holds the database as it was at its beginning, and ends, however fast clients write', async () => {
    using folder = new Folder();
    const database = await makeLarge(folder.file('records.db'));
    // SQLite would begin its copy anew after each of these commits.
    await using writer = new Command(process.execPath, [
      '-e',
      `const database = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(database)}, { timeout: 5000 });
      database.exec('pragma journal_mode = wal; pragma synchronous = off');
      const update = database.prepare('update "booking_settings" set "days_ahead" = ?');
      for (let n = 0; ; n++) { update.run(n); if (n === 100) console.log('writing'); }`,
    ]);
    while (writer.stdout === '') await pause(5);
    mkdirSync(folder.file('backups'));
    const file = folder.file('backups/backup.db');
    const counter = 'select "days_ahead" as "counter" from "booking_settings"';
    const backedUp = endOf('backup', database, file);
    while (readdirSync(folder.file('backups')).length === 0) await pause(1);
    const reader = new DatabaseSync(database);
    const { counter: afterBegin } = reader.prepare(counter).get() as { counter: number };
    reader.close();
    expectDone(await backedUp);
    expect(await writer.stop('SIGKILL')).toMatchObject({ stderr: '' });
    expect(ask<{ counter: number }>(file, counter)[0]?.counter).toBeLessThanOrEqual(afterBegin);
    expect(ask(file, 'select count(*) as "count" from "attachment"')).toEqual([{ count: 3 }]);
  });

  test('replaces nothing, unless it is told to', async () => {
    using folder = new Folder();
    const database = await makeDatabase(folder.file('records.db'));
    writeFileSync(folder.file('backup.db'), 'kept');
    const message = await refusal('backup', database, folder.file('backup.db'));
    expect(message).toContain(folder.file('backup.db'));
    expect(message).toContain('--force');
    expect(readFileSync(folder.file('backup.db'), 'utf8')).toBe('kept');
    await done('backup', database, folder.file('backup.db'), '--force');
    expect(ask(folder.file('backup.db'), 'select * from "competitor"')).toEqual([]);
    expect(readdirSync(folder.path).toSorted()).toEqual(['backup.db', 'records.db']);
  });

  test('never replaces the database, whatever it is called', async () => {
    using folder = new Folder();
    const database = await makeDatabase(folder.file('records.db'));
    symlinkSync(database, folder.file('link.db'));
    const open = await openSqlite(database, service.tables, serviceName);
    try {
      for (const name of ['records.db', 'link.db', 'records.db-wal']) {
        expect(await refusal('backup', database, folder.file(name), '--force')).toContain('the database itself');
      }
    } finally {
      await open.close();
    }
    expect(readdirSync(folder.path).toSorted()).toEqual(['link.db', 'records.db']);
  });

  test('does not go beside a journal that would spoil it', async () => {
    using folder = new Folder();
    const database = await makeDatabase(folder.file('records.db'));
    writeFileSync(folder.file('backup.db-wal'), 'left');
    expect(await refusal('backup', database, folder.file('backup.db'))).toContain('backup.db-wal');
    expect(readdirSync(folder.path).toSorted()).toEqual(['backup.db-wal', 'records.db']);
  });

  test.each([[[]], [['one', 'two']], [['one', '--frob']], [['']]])(
    'with the arguments %j says what it takes',
    async (args) => {
      using folder = new Folder();
      const message = expectRefusedStart(await inProcess('backup', folder.file('records.db'), ...args), 2);
      expect(message).toContain('Usage: npm run backup -- FILE [options]\n');
      expect(readdirSync(folder.path)).toEqual([]);
    },
  );

  test('of a database that is not there makes nothing', async () => {
    using folder = new Folder();
    const message = await refusal('backup', folder.file('data/records.db'), folder.file('backup.db'));
    expect(message).toContain(folder.file('data/records.db'));
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('into a folder that is not there makes nothing', async () => {
    using folder = new Folder();
    const database = await makeDatabase(folder.file('records.db'));
    expect(await refusal('backup', database, folder.file('none/backup.db'))).toContain(folder.file('none'));
    expect(readdirSync(folder.path)).toEqual(['records.db']);
  });

  test("of another program's database, or of no database, makes nothing", async () => {
    using folder = new Folder();
    const other = new DatabaseSync(folder.file('other.db'));
    other.exec('create table lead (id text)');
    other.close();
    writeFileSync(folder.file('notes.txt'), 'These are notes, and no database.\n'.repeat(200));
    writeFileSync(folder.file('empty.db'), '');
    for (const name of ['other.db', 'notes.txt', 'empty.db']) {
      expect(await refusal('backup', folder.file(name), folder.file('backup.db'))).toContain(folder.file(name));
    }
    expect(readdirSync(folder.path).toSorted()).toEqual(['empty.db', 'notes.txt', 'other.db']);
  });

  test('of a damaged database makes nothing, and says so', async () => {
    using folder = new Folder();
    const database = await makeDatabase(folder.file('records.db'));
    const bytes = readFileSync(database);
    writeFileSync(database, bytes.fill(0xaa, 8 * 4096, 8 * 4096 + 200));
    expect(await refusal('backup', database, folder.file('backup.db'))).toMatch(/damaged|malformed/);
    expect(readdirSync(folder.path)).toEqual(['records.db']);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ended by %s leaves nothing behind', async (signal) => {
    using folder = new Folder();
    await using running = command('backup', largeFile, folder.file('backup.db'));
    while (readdirSync(folder.path).length === 0) await pause(1);
    const ended = await running.stop(signal);
    // It may have said that it is complete before the signal came: then it is there, and otherwise nothing.
    const isComplete = ended.stdout.startsWith('Backup of ');
    if (!isComplete) expect(ended, ended.stderr).toMatchObject({ signal, stdout: '' });
    expect(readdirSync(folder.path)).toEqual(isComplete ? ['backup.db'] : []);
  });

  testDisk('on a disk that is too small leaves it as it was', async () => {
    using disk = new Disk('4m');
    expect(await refusal('backup', largeFile, disk.file('backup.db'))).toMatch(/bytes.* left/);
    expect(readdirSync(disk.path)).toEqual([]);
  });

  test.each(['postgres://user:secret@localhost/records', 'postgresql://localhost/records'])(
    'of %s names the tools of PostgreSQL',
    async (url) => {
      using folder = new Folder();
      for (const name of ['backup', 'restore'] as const) {
        const message = await refusal(name, url, folder.file('backup.db'));
        expect(message).toContain(name === 'backup' ? 'pg_dump' : 'pg_restore');
        expect(message).not.toContain('secret');
      }
      expect(readdirSync(folder.path)).toEqual([]);
    },
  );
});

describe.concurrent('restore', () => {
  const names = (server: TestServer): Promise<string[]> =>
    server
      .request('GET', competitors)
      .then(({ body }) => (body as { data: { competitor_name: string }[] }).data.map((row) => row.competitor_name));

  /** Makes a backup of one record, then 50 more: enough for frames of every table's pages in the journal. Kills the server. */
  async function killAfterBackup(server: TestServer, backup: string): Promise<string> {
    const database = join(server.folder, 'records.db');
    await create(server, competitors, { competitor_name: 'before' });
    await done('backup', database, backup);
    for (let i = 0; i < 50; i++) await create(server, competitors, { competitor_name: `after ${i}` });
    await server.kill();
    return database;
  }

  test('after a server that was killed: the records of the backup, and the others in the file that was there', async () => {
    using folder = new Folder();
    await using server = await startServer();
    const backup = folder.file('backup.db');
    const database = await killAfterBackup(server, backup);
    expect(statSync(`${database}-wal`).size).toBeGreaterThan(0);

    const said = expectDone(await endOf('restore', database, backup));
    const former = readdirSync(server.folder).filter((name) => name !== 'records.db');
    expect(former).toEqual([expect.stringMatching(/^records\.db\.20\d\d-/)]);
    expect(said).toContain(former[0]);
    expect(ask(database, 'select "competitor_name" as "name" from "competitor"')).toEqual([{ name: 'before' }]);
    expect(ask(join(server.folder, former[0] ?? ''), 'select count(*) as "count" from "competitor"')).toEqual([
      { count: 51 },
    ]);

    await server.start();
    expect(await names(server)).toEqual(['before']);
    await create(server, competitors, { competitor_name: 'next' });
    expect(await names(server)).toEqual(['next', 'before']);
    expect(ask(backup, 'select count(*) as "count" from "competitor"')).toEqual([{ count: 1 }]);
  });

  test('by hand, as the README says: the file in its place, and no journal beside it', async () => {
    using folder = new Folder();
    await using server = await startServer();
    const backup = folder.file('backup.db');
    const database = await killAfterBackup(server, backup);
    for (const file of ['', '-wal', '-shm']) rmSync(database + file);
    copyFileSync(backup, database);
    await server.start();
    expect(await names(server)).toEqual(['before']);
  });

  test('is refused while a server runs, which goes on undisturbed', async () => {
    using folder = new Folder();
    await using server = await startServer();
    const database = join(server.folder, 'records.db');
    await create(server, competitors, { competitor_name: 'before' });
    await done('backup', database, folder.file('backup.db'));
    await create(server, competitors, { competitor_name: 'after' });
    expect(expectRefusal(await endOf('restore', database, folder.file('backup.db')))).toContain('in use');
    expect(await names(server)).toEqual(['after', 'before']);
    await server.restart();
    expect(await names(server)).toEqual(['after', 'before']);
  });

  test('where there was no database and no folder for it', async () => {
    using folder = new Folder();
    await makeDatabase(folder.file('backup.db'));
    await done('restore', folder.file('data/records.db'), folder.file('backup.db'));
    expect(ask(folder.file('data/records.db'), 'select * from "competitor"')).toEqual([]);
    expect(readdirSync(folder.path, { recursive: true }).toSorted()).toEqual(['backup.db', 'data', 'data/records.db']);
  });

  test('through a link puts the file where the link points', async () => {
    using folder = new Folder();
    await makeDatabase(folder.file('backup.db'));
    await makeDatabase(folder.file('real.db'));
    symlinkSync('real.db', folder.file('records.db'));
    await done('restore', folder.file('records.db'), folder.file('backup.db'));
    expect(lstatSync(folder.file('records.db')).isSymbolicLink()).toBe(true);
    const expected = ['backup.db', 'real.db', expect.stringMatching(/^real\.db\.20/), 'records.db'];
    expect(readdirSync(folder.path).toSorted()).toEqual(expected);
  });

  test('does not go beside the journal of a database that is gone', async () => {
    using folder = new Folder();
    await makeDatabase(folder.file('backup.db'));
    writeFileSync(folder.file('records.db-wal'), 'left');
    expect(await refusal('restore', folder.file('records.db'), folder.file('backup.db'))).toContain('records.db-wal');
    expect(existsSync(folder.file('records.db'))).toBe(false);
  });

  test('of a file that is damaged, of another program or not there: the database stays as it is', async () => {
    using folder = new Folder();
    const database = await makeDatabase(folder.file('records.db'));
    const bytes = readFileSync(database);
    writeFileSync(folder.file('damaged.db'), bytes.fill(0xaa, 8 * 4096, 8 * 4096 + 200));
    writeFileSync(folder.file('short.db'), readFileSync(database).subarray(0, 20_000));
    const other = new DatabaseSync(folder.file('other.db'));
    other.exec('create table lead (id text)');
    other.close();
    const files = readdirSync(folder.path);
    for (const name of ['damaged.db', 'short.db', 'other.db', 'none.db']) {
      await refusal('restore', database, folder.file(name));
      expect(readdirSync(folder.path)).toEqual(files);
    }
    expect(ask(database, 'select "id" from "booking_settings"')).toHaveLength(1);
  });

  test('in the place of a damaged database says what to move away first', async () => {
    using folder = new Folder();
    await makeDatabase(folder.file('backup.db'));
    writeFileSync(folder.file('records.db'), 'These are notes, and no database.\n'.repeat(200));
    const message = await refusal('restore', folder.file('records.db'), folder.file('backup.db'));
    expect(message).toMatch(/move it away.*-wal/);
    expect(readdirSync(folder.path).toSorted()).toEqual(['backup.db', 'records.db']);
  });
});
