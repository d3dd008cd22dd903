import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { z } from 'zod';

import { createRecord } from '../support/operations.ts';
import { id, text, timestamp } from '../../runtime/kernel/model/fields.ts';
import { record, type Table } from '../../runtime/kernel/model/table.ts';
import { openSqlite, jsonOf } from '../support/main-store.ts';
import { Folder } from '../server/command.ts';
import type { Openings } from '../server/open-worker.ts';
import { newer, older, renaming } from './tables.ts';
import { serviceName } from '../support/databases.ts';

const [companyTable] = older as [Table];

const sync = (file: string, tables: readonly Table[]): Promise<void> =>
  openSqlite(file, tables, serviceName).then((store) => store.close());

/** Runs statements on a file, past any store. */
function byHand(file: string, sql: string): Record<string, unknown>[] {
  using database = new DatabaseSync(file);
  const statements = sql.split(';').filter((statement) => statement.trim() !== '');
  for (const statement of statements.slice(0, -1)) database.exec(statement);
  return database.prepare(statements.at(-1) ?? '').all();
}

/** The pages of a file whose journal is empty. */
function pagesOf(file: string): Buffer[] {
  const bytes = readFileSync(file);
  const size = bytes.readUInt16BE(16);
  return Array.from({ length: bytes.length / size }, (_, page) => bytes.subarray(page * size, (page + 1) * size));
}

test('a new column rewrites no row: only pages of the schema change', async () => {
  using folder = new Folder();
  const file = folder.file('records.db');
  await sync(file, older);
  byHand(
    file,
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
     insert into company select 1, 'company_' || i, 'Acme', 't', 't', 1 from n; select 1`,
  );
  const before = pagesOf(file);
  await sync(file, [newer[0] as Table]);
  const after = pagesOf(file);
  expect(before.length).toBeGreaterThan(200);
  expect(after).toHaveLength(before.length);
  const changed = after.flatMap((page, place) => (page.equals(before[place] as Buffer) ? [] : [place]));
  const ofSchema = byHand(file, `select pageno - 1 as place from dbstat where name = 'sqlite_schema'`);
  expect(ofSchema.map(({ place }) => place)).toEqual(expect.arrayContaining(changed));
  expect(changed).toContain(0);
  expect(byHand(file, 'select count(*) as rows, sum(size) as sizes from company')).toEqual([
    { rows: 20_000, sizes: 60_000 },
  ]);
});

test('a rename waits for the last of the others to close the file', async () => {
  using folder = new Folder();
  const file = folder.file('records.db');
  const old = await openSqlite(file, older, serviceName);
  const { id: made } = await createRecord(old, companyTable, { name: 'Acme' });
  await expect(openSqlite(file, renaming, serviceName)).rejects.toThrow(/Stop the other servers/);
  // Nothing has changed for the one that runs.
  await createRecord(old, companyTable, { name: 'More' });
  expect(await old.list('company', { limit: 1, offset: 0 })).toMatchObject({ total: 2 });
  await old.close();
  await using store = await openSqlite(file, renaming, serviceName);
  expect(String(await jsonOf(store, 'firm', made))).toContain('"title":"Acme"');
  expect(byHand(file, 'pragma journal_mode')).toEqual([{ journal_mode: 'wal' }]);
});

test.each([
  ['lacks a column', 'company'],
  // Only one of them may have the file open then.
  ['has a table by its former name', 'firm'],
])('several starts at one moment bring a database that %s to the spec', async (_what, table) => {
  using folder = new Folder();
  const files = Array.from({ length: 6 }, (_, round) => folder.file(`${round}.db`));
  const times = { created_at: timestamp(), updated_at: timestamp() };
  const former = record(table, z.strictObject({ id: id(), title: text(), ...times }));
  for (const file of files) await sync(file, [former]);
  const ready = new Int32Array(new SharedArrayBuffer(4 * files.length));
  const workerData: Openings = { files, workers: 3, ready };
  const workers = Array.from(
    { length: workerData.workers },
    () => new Worker(new URL('../server/open-worker.ts', import.meta.url), { workerData }),
  );
  try {
    const found = await Promise.all(workers.map(async (worker) => (await once(worker, 'message'))[0] as string[]));
    for (const [round, file] of files.entries()) {
      expect(found[0]?.[round]).toMatch(/^\{"id":"options_/);
      expect(new Set(found.map((one) => one[round])).size).toBe(1);
      const columns = byHand(file, `select name from pragma_table_info('company')`).map(({ name }) => name);
      expect(columns).toEqual(['_organization', 'id', 'title', 'created_at', 'updated_at', '_version', 'name']);
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
});
