import { mkdtempSync, rmSync, stat } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ItemStream, Listing } from '../../runtime/kernel/records/page.ts';
import { unknownOrigin } from '../../runtime/kernel/records/write.ts';
import { mainOrganization } from '../../runtime/kernel/sql/schema.ts';
import { readAnswer } from '../../runtime/features/idempotency/answers.ts';
import { jsonOf, type MainStore, openSqlite } from '../support/main-store.ts';
import { company, insertOf } from './contract.ts';
import { serviceName, textOf, itemsOf } from '../support/databases.ts';

let folder: string;
let store: MainStore;
/** Another process, whose write is on the disk, and answered, when it returns. */
let other: DatabaseSync;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'records-store-'));
  const file = join(folder, 'records.db');
  store = await openSqlite(file, [company], serviceName);
  other = new DatabaseSync(file);
});

afterEach(async () => {
  other.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const nameOf = (text: unknown): unknown => (JSON.parse(String(text)) as { name: string }).name.slice(0, 20);

async function insert(name: string): Promise<string> {
  const write = insertOf(company, { name });
  await store.write(write);
  return String(write.values[0]);
}

/** Copies a record, under ids that end in 00001 and so on. */
async function insertCopies(id: string, count: number): Promise<void> {
  other.exec(
    `with recursive n (i) as (values (1) union all select i + 1 from n where i < ${count})
      insert into "company" select 1, ${company.columns
        .map(({ name }) => (name === 'id' ? `'company_' || printf('%05d', i)` : `"${name}"`))
        .join(', ')}, 1 from "company", n where "id" = '${id}';
    update "_row_counter" set "count" = "count" + ${count}`,
  );
}

/** A request that has come in since, as the event loop gets to it: before the callbacks of the next `setImmediate`. */
const inNextTurn = <T>(read: () => T): Promise<T> =>
  new Promise((resolve) => {
    stat(folder, () => resolve(read()));
    const due = performance.now() + 5;
    while (performance.now() < due);
  });

test('a page that goes on between requests does not keep them from what another process has written', async () => {
  const ids = [await insert('x'.repeat(500_000)), await insert('x'.repeat(500_000)), await insert('x'.repeat(500_000))];
  const listing = (await store.list('company', { limit: 10, offset: 0 })) as Listing;
  const pieces = (itemsOf(store, 'company', listing) as ItemStream)[Symbol.asyncIterator]();
  for (const [n, id] of ids.entries()) {
    await new Promise(setImmediate);
    await pieces.next();
    other.exec(`update "company" set "name" = 'now ${n}' where "id" = '${id}'`);
    expect(nameOf(await inNextTurn(() => jsonOf(store, 'company', id)))).toBe(`now ${n}`);
  }
});

test('nor does a deep page, when it is found', async () => {
  const id = await insert('before');
  await insertCopies(id, 30_000);
  const listing = (await store.list('company', { limit: 5, offset: 15_000 })) as Listing;
  expect(JSON.parse(`[${await textOf(listing.items)}]`)).toHaveLength(5);
  other.exec(`update "company" set "name" = 'after' where "id" = '${id}'`);
  expect(nameOf(await inNextTurn(() => jsonOf(store, 'company', id)))).toBe('after');
});

test('a deep page from which records go while it is looked for leaves every record under its own id', async () => {
  await insertCopies(await insert('x'), 30_000);
  for (let n = 0; n < 40; n++) {
    const idOf = (place: number): string => `company_${String(place).padStart(5, '0')}`;
    const found = store.list('company', { limit: 20, offset: 15_000 });
    // The thread that looks has its snapshot, or not yet.
    if (n % 2 === 0) await new Promise(setImmediate);
    other.exec(`delete from "company" where "id" = '${idOf(15_000 - n)}'`);
    const listing = (await found) as Listing;
    const ids = (JSON.parse(`[${await textOf(listing.items)}]`) as { id: string }[]).map(({ id }) => id);
    // A record is cached when it is read a second time.
    for (const _ of [1, 2]) await store.list('company', { limit: 20, offset: 15_000 });
    for (const id of ids) {
      const json = await jsonOf(store, 'company', id);
      if (json !== undefined) expect(JSON.parse(String(json))).toMatchObject({ id });
    }
  }
});

test('nor does what is read when a write is answered', async () => {
  const id = await insert('x');
  for (let n = 0; n < 3; n++) {
    await store.write({ op: 'update', table: 'company', id, set: { name: 'y' }, expected: {}, time: '2030' });
    // As a handler reads what it has just written.
    jsonOf(store, 'company', id);
    other.exec(`update "company" set "name" = 'now ${n}' where "id" = '${id}'`);
    expect(nameOf(await inNextTurn(() => jsonOf(store, 'company', id)))).toBe(`now ${n}`);
  }
});

test('a short answer to a repeated request does not wait for a deep page', async () => {
  await insertCopies(await insert('x'), 30_000);
  const once = { owner: 'key', key: 'once', digest: 'digest', ids: [] };
  const origin = unknownOrigin();
  await store.write(insertOf(company), { ...origin, once });
  let isRead = false;
  const page = Promise.resolve(store.list('company', { limit: 5, offset: 15_000 })).then(() => (isRead = true));
  const stored = await readAnswer(store.of(mainOrganization), once, origin.time);
  expect(isRead).toBe(false);
  expect(stored).toMatchObject({ digest: 'digest', answer: { result: { outcome: 'written' } } });
  await page;
});
