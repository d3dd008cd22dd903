import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import { service } from '../service/generated/app.ts';
import { openSqlite } from '../support/main-store.ts';
import { Disk, reasonAgainst, testDisk, testUnless } from '../support/disk.ts';
import { create, list, listAll, retrieve } from '../support/records.ts';
import { type Answer, startServer, testKey, type TestServer } from '../support/server.ts';
import { expectRefusedStart, Folder } from './command.ts';
import { runInProcess } from './in-process.ts';
import { company, insertOf } from '../store/contract.ts';
import { serviceName } from '../support/databases.ts';

const competitors = '/api/crm/competitor';
const leads = '/api/crm/lead';

function expectUnavailable(answer: Answer): string {
  expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable', detail: expect.any(String) } });
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  return (answer.body as { detail: string }).detail;
}

const createCompetitor = (server: TestServer, name: string): Promise<Answer> =>
  server.request('POST', competitors, { competitor_name: name });

const namesIn = async (server: TestServer): Promise<unknown[]> =>
  (await listAll(server, competitors)).map((row) => row['competitor_name']);

/** The message of a refused start. */
async function refusalOf(file: string): Promise<string> {
  const end = await runInProcess(service, { DATABASE_URL: `sqlite:${file}`, API_KEYS: testKey });
  const message = expectRefusedStart(end);
  expect(message).toContain(file);
  return message;
}

describe('a full disk', () => {
  testDisk('holds up the writes and no read; nothing is lost, and with room the writes go on', async () => {
    using disk = new Disk('4m');
    await using server = await startServer({ folder: disk.path });
    const text = 'x'.repeat(130);
    const body = { lead_name: 'Ann', city: text, company_name: text, website: text, first_name: text };
    const told: string[] = [];
    let refused = 0;
    // From several clients, so that groups of writes fail as a whole.
    const client = async (): Promise<void> => {
      while (refused < 20 && told.length < 5_000) {
        const answer = await server.request('POST', leads, body);
        if (answer.status === 201) {
          told.push((answer.body as { id: string }).id);
        } else {
          expectUnavailable(answer);
          refused += 1;
        }
      }
    };
    await Promise.all([client(), client(), client(), client()]);
    expect(refused).toBeGreaterThanOrEqual(20);
    expect(told.length).toBeGreaterThan(20);
    const told1 = told[0] ?? '';
    expect(await retrieve(server, leads, told1)).toMatchObject(body);
    expect((await list(server, leads)).total).toBe(told.length);
    // An update may fit into the last page or two when a new record does not.
    let city = text;
    for (let n = 0; ; n++) {
      const next = String(n % 10).repeat(130);
      const answer = await server.request('PATCH', `${leads}/${told1}`, { city: next });
      if (answer.status === 200 && n < 100) {
        city = next;
        continue;
      }
      expectUnavailable(answer);
      break;
    }
    expectUnavailable(await server.request('DELETE', `${leads}/${told1}`));
    expect(await retrieve(server, leads, told1)).toMatchObject({ ...body, city });

    disk.resize('16m');
    told.push((await create(server, leads, body)).id);
    const check = async (): Promise<void> => {
      const ids = (await listAll(server, leads)).map(({ id }) => id);
      expect(new Set(ids)).toEqual(new Set(told));
      expect(ids).toHaveLength(told.length);
    };
    await check();
    await server.kill();
    await server.start();
    await check();
    await server.stop();
    const database = new DatabaseSync(disk.file('records.db'));
    expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    database.close();
  });

  testDisk('without room for a new database is a clear refusal', async () => {
    using disk = new Disk('64k');
    expect(await refusalOf(disk.file('records.db'))).toContain('Make room');
  });
});

describe('a disk that can only be read', () => {
  testDisk('is a clear refusal at the start; once it can be written, the same start serves', async () => {
    using disk = new Disk('16m');
    await using server = await startServer({ folder: disk.path });
    await createCompetitor(server, 'kept');
    await server.stop();
    const before = readFileSync(disk.file('records.db'));
    disk.setReadOnly(true);
    expect(await refusalOf(disk.file('records.db'))).toContain('read-only');
    expect(await refusalOf(disk.file('data/records.db'))).toContain('read-only');
    expect(readdirSync(disk.path)).toEqual(['records.db']);
    expect(readFileSync(disk.file('records.db')).equals(before)).toBe(true);
    disk.setReadOnly(false);
    await server.start();
    expect(await namesIn(server)).toEqual(['kept']);
  });

  /** As the system does with a disk that fails: files that are open can no longer be written, either. */
  const setImmutable = (file: string, immutable: boolean): void => {
    execFileSync('chattr', [immutable ? '+i' : '-i', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  };

  const immutableMissing = reasonAgainst(() => {
    using folder = new Folder();
    writeFileSync(folder.file('file'), '');
    setImmutable(folder.file('file'), true);
    setImmutable(folder.file('file'), false);
  });

  testUnless(
    immutableMissing,
    'from some moment on: writes are unavailable, reads go on, then writes too',
    async () => {
      await using server = await startServer();
      const files = ['', '-wal'].map((end) => join(server.folder, `records.db${end}`));
      await createCompetitor(server, 'before');
      for (const file of files) setImmutable(file, true);
      try {
        expectUnavailable(await createCompetitor(server, 'meanwhile'));
        expect(await namesIn(server)).toEqual(['before']);
      } finally {
        for (const file of files) setImmutable(file, false);
      }
      expect((await createCompetitor(server, 'after')).status).toBe(201);
      expect(await namesIn(server)).toEqual(['after', 'before']);
      await server.kill();
      await server.start();
      expect(await namesIn(server)).toEqual(['after', 'before']);
    },
  );
});

/** Asks until it is unavailable: reads trust their last look at the file for a second. */
async function becomesUnavailable(server: TestServer, path: string): Promise<void> {
  const begin = performance.now();
  for (;;) {
    const after = performance.now() - begin;
    const answer = await server.request('GET', path);
    if (answer.status !== 200) return void expectUnavailable(answer);
    expect(after).toBeLessThan(1_100);
    await pause(20);
  }
}

describe.concurrent('a database file that is no longer in its place', () => {
  /** Nothing may be taken that the next start would not find, and nothing be read that is not true any more. */
  async function expectNothingServed(server: TestServer): Promise<string> {
    const detail = expectUnavailable(await createCompetitor(server, 'lost'));
    await becomesUnavailable(server, competitors);
    expectUnavailable(await server.request('GET', '/readyz'));
    expect((await server.request('GET', '/healthz')).status).toBe(200);
    return detail;
  }

  test.each([
    ['deleted', (file: string) => rmSync(file)],
    ['deleted with its journal', (file: string) => ['', '-wal', '-shm'].forEach((end) => rmSync(file + end))],
    ['deleted with its folder', (file: string) => rmSync(join(file, '..'), { recursive: true })],
  ])('%s: nothing is served, and the next start makes a new one', async (_, remove) => {
    using folder = new Folder();
    mkdirSync(folder.file('data'));
    await using server = await startServer({ folder: folder.file('data') });
    await createCompetitor(server, 'first');
    remove(folder.file('data/records.db'));
    expect(await expectNothingServed(server)).toContain('gone');
    expect(existsSync(folder.file('data/records.db'))).toBe(false);
  });

  test('moved away, alone or with its folder: nothing is served until it is back', async () => {
    using folder = new Folder();
    mkdirSync(folder.file('data'));
    await using server = await startServer({ folder: folder.file('data') });
    const made = ['before'];
    await createCompetitor(server, 'before');
    for (const [from, to] of [
      ['data/records.db', 'elsewhere.db'],
      ['data', 'elsewhere'],
    ] as const) {
      renameSync(folder.file(from), folder.file(to));
      expect(await expectNothingServed(server)).toContain('gone');
      renameSync(folder.file(to), folder.file(from));
      made.unshift(`back from ${to}`);
      expect((await createCompetitor(server, made[0] ?? '')).status).toBe(201);
      expect((await namesIn(server)).filter((name) => name !== 'lost')).toEqual(made);
      expect((await server.request('GET', '/readyz')).status).toBe(200);
    }
  });

  test('replaced by another one: nothing is served until the server is started anew', async () => {
    using folder = new Folder();
    await using server = await startServer({ folder: folder.path });
    await createCompetitor(server, 'kept');
    await server.stop();
    copyFileSync(folder.file('records.db'), folder.file('copy.db'));
    await server.start();
    await createCompetitor(server, 'replaced');
    for (const end of ['-wal', '-shm']) rmSync(folder.file(`records.db${end}`));
    renameSync(folder.file('copy.db'), folder.file('records.db'));
    expect(await expectNothingServed(server)).toContain('Restart');
    await server.restart();
    expect(await namesIn(server)).toEqual(['kept']);
  });
});

describe.concurrent('a file that SQLite keeps beside the database, and that is no longer in its place', () => {
  test.each(['-wal', '-shm', '-wal -shm'])(
    'deleted (%s): nothing more is taken, and nothing is lost',
    async (deleted) => {
      const ends = deleted.split(' ');
      using folder = new Folder();
      await using server = await startServer({ folder: folder.path });
      const names = Array.from({ length: 20 }, (_, n) => `kept ${n}`);
      for (const name of names) await create(server, competitors, { competitor_name: name });
      for (const end of ends) rmSync(folder.file(`records.db${end}`));
      const first = expectUnavailable(await createCompetitor(server, 'unknown'));
      expect(first).toContain(`The ${ends[0]} file of the database is gone`);
      await expect.poll(() => server.output).toContain(folder.file(`records.db${ends[0]} is gone`));
      for (let n = 0; n < 20; n++) expectUnavailable(await createCompetitor(server, 'lost'));
      expectUnavailable(await server.request('GET', '/readyz'));
      await becomesUnavailable(server, competitors);
      await server.kill();
      await server.start();
      const stored = await namesIn(server);
      if (stored.includes('unknown')) expect(first).toContain('The write may have been done or not');
      expect(stored.filter((name) => name !== 'unknown')).toEqual(names.toReversed());
    },
  );

  test('moved away: nothing is taken until it is back', async () => {
    using folder = new Folder();
    await using server = await startServer({ folder: folder.path });
    await createCompetitor(server, 'before');
    renameSync(folder.file('records.db-wal'), folder.file('elsewhere'));
    for (let n = 0; n < 3; n++) expectUnavailable(await createCompetitor(server, n === 0 ? 'unknown' : 'lost'));
    renameSync(folder.file('elsewhere'), folder.file('records.db-wal'));
    expect((await createCompetitor(server, 'after')).status).toBe(201);
    await server.kill();
    await server.start();
    expect((await namesIn(server)).filter((name) => name !== 'unknown')).toEqual(['after', 'before']);
  });

  test('replaced by another program that opened the database without it: a restart is needed', async () => {
    using folder = new Folder();
    await using server = await startServer({ folder: folder.path });
    await createCompetitor(server, 'kept');
    for (const end of ['-wal', '-shm']) rmSync(folder.file(`records.db${end}`));
    {
      using other = new DatabaseSync(folder.file('records.db'));
      other.prepare('select 1 from sqlite_schema').get();
      expect(expectUnavailable(await createCompetitor(server, 'lost'))).toContain('was replaced. Restart');
    }
    await server.restart();
    expect((await createCompetitor(server, 'after')).status).toBe(201);
    expect((await namesIn(server)).filter((name) => name !== 'lost')).toEqual(['after', 'kept']);
  });

  test('what SQLite does itself is not mistaken for it: checkpoints, and other programs that come and go', async () => {
    using folder = new Folder();
    await using server = await startServer({ folder: folder.path });
    for (const mode of ['passive', 'restart', 'truncate']) {
      await create(server, competitors, { competitor_name: mode });
      using other = new DatabaseSync(folder.file('records.db'));
      expect(other.prepare(`pragma wal_checkpoint(${mode})`).get()).toMatchObject({ busy: 0 });
      await create(server, competitors, { competitor_name: mode });
    }
    expect((await list(server, competitors)).total).toBe(6);
  });
});

test('a start that needs the file for itself, for a rename, leaves a database that can be written', async () => {
  using folder = new Folder();
  const file = folder.file('records.db');
  await (await openSqlite(file, [company], serviceName)).close();
  const firm = { ...company, name: 'firm', renamedFrom: ['company'] };
  await using store = await openSqlite(file, [firm], serviceName);
  expect(await store.write(insertOf(firm))).toMatchObject({ outcome: 'written' });
});

describe.concurrent('a damaged database', () => {
  /** Makes a database that has some hundred pages of leads in its file. */
  async function makePages(file: string): Promise<void> {
    await (await openSqlite(file, service.tables, serviceName)).close();
    using database = new DatabaseSync(file);
    database.exec(`
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 600)
        insert into "lead" ("_organization", "id", "created_at", "updated_at", "city", "website")
          select 1, printf('lead_%026d', i), '', '', printf('%.*c', 130, 'x'), printf('%.*c', 130, 'x') from n;
      insert into "_row_counter" values (1, 'lead', '', 0, 600) on conflict do update set "count" = 600`);
  }

  test('that is cut short while it is served: unavailable, and the server says that it is not ready', async () => {
    using folder = new Folder();
    await makePages(folder.file('records.db'));
    await using server = await startServer({ folder: folder.path });
    truncateSync(folder.file('records.db'), 320 * 1024);
    for (let n = 0; n < 2; n += 1) {
      expect(expectUnavailable(await server.request('GET', `${leads}?limit=1000`))).toContain('damaged');
      expectUnavailable(await server.request('POST', leads, { lead_name: 'Ann' }));
      expect(expectUnavailable(await server.request('GET', '/readyz'))).toContain('damaged');
      expect((await server.request('GET', '/healthz')).status).toBe(200);
    }
  });

  test('whose schema cannot be read is refused, with the way to a backup', async () => {
    using folder = new Folder();
    const file = folder.file('records.db');
    await makePages(file);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xaa, 100, 4096));
    expect(await refusalOf(file)).toContain('npm run restore');
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });
});
