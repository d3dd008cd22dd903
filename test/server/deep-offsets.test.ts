import { Agent, get } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import { competitorTable, discountBrandTable } from '../service/generated/tables.ts';
import { id, text, timestamp } from '../../runtime/kernel/model/fields.ts';
import { record, type Table } from '../../runtime/kernel/model/table.ts';
import { openSqlite } from '../support/main-store.ts';
import type { Listing } from '../../runtime/kernel/records/page.ts';
import { create, list } from '../support/records.ts';
import { startServer, testKey, type TestServer } from '../support/server.ts';
import { Folder } from './command.ts';
import { serviceName, textOf } from '../support/databases.ts';
import { rebuildCounter } from '../../runtime/migrations/counters.ts';

const rows = 220_000;
const competitors = '/api/crm/competitor';
const brands = '/api/sales/discount-brand';
/** A parent with most of the line items, and one with the others, which stand between them. */
const [large, small] = ['large', 'small'];
const isSmall = (n: number): boolean => n % 20 === 0;

const folder = new Folder();
const file = folder.file('records.db');
const renamedFile = folder.file('renamed.db');
let server: TestServer;

const times = { created_at: timestamp(), updated_at: timestamp() };
const rivalTable = record('rival', z.strictObject({ id: id(), name: text(), ...times }), {
  renamedFrom: ['competitor'],
});

const numbered = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(26, '0')}`;
const numberOf = (one: { id: string }): number => Number(one.id.slice(-26));

/** Fills a table; `columns` are expressions of the row's number `n`, from 0 on. */
function fill(database: DatabaseSync, table: Table, columns: Readonly<Record<string, string>>): void {
  const names = Object.keys(columns).map((name) => `"${name}"`);
  database.exec(
    `begin;
    with recursive number (n) as (values (0) union all select n + 1 from number where n < ${rows - 1})
      insert into "${table.name}" (_organization, ${names.join(', ')}) select 1, ${Object.values(columns).join(', ')} from number;
    ${rebuildCounter(table).join(';')};
    commit`,
  );
}

const numberedId = (prefix: string): string => `${prefix} || '_' || printf('%026d', n)`;
const time = { created_at: `'2024-01-01T00:00:00.000Z'`, updated_at: `'2024-01-01T00:00:00.000Z'` };

beforeAll(async () => {
  await (await openSqlite(renamedFile, [rivalTable], serviceName)).close();
  using renamed = new DatabaseSync(renamedFile);
  // Names by which the ids would sort otherwise than by their numbers.
  fill(renamed, rivalTable, { id: numberedId(`iif(n % 3 = 0, 'competitor', 'rival')`), name: `'x'`, ...time });

  server = await startServer({ folder: folder.path });
  await server.stop();
  using database = new DatabaseSync(file);
  fill(database, competitorTable, { id: numberedId(`'competitor'`), competitor_name: `'name ' || n`, ...time });
  fill(database, discountBrandTable, {
    id: numberedId(`'discount_brand'`),
    // Two share a place: the older one comes first.
    idx: 'n / 2',
    parent_id: `iif(n % 20 = 0, '${small}', '${large}')`,
    parent_type: `'Rule'`,
  });
  await server.start();
});

afterAll(async () => {
  await server?.close();
  folder[Symbol.dispose]();
});

const offsetsOf = (total: number): number[] =>
  [0, 1, 9_999, 10_000, 10_001, total / 3, total / 2 - 10, total / 2, total * 0.9]
    .flatMap((offset) => [offset, total - offset])
    .concat(total + 1, total * 2, Number.MAX_SAFE_INTEGER)
    .map(Math.floor);

/** The expected page of a whole list. */
const wanted = (whole: readonly number[], offset: number, limit: number) => ({
  numbers: whole.slice(offset, offset + limit),
  total: whole.length,
  hasMore: offset + limit < whole.length,
});

const numbers = Array.from({ length: rows }, (_, n) => n);

test.each([
  ['records', competitors, {}, numbers.toReversed()],
  ['line items of a large parent', brands, { parent_id: large }, numbers.filter((n) => !isSmall(n))],
  ['line items of a small one', brands, { parent_id: small }, numbers.filter(isSmall)],
] as const)('%s: pages are right wherever they begin', async (_, path, query, whole) => {
  for (const offset of offsetsOf(whole.length)) {
    for (const limit of [1, 20]) {
      const page = await list(server, path, { ...query, offset, limit });
      expect({ numbers: page.data.map(numberOf), total: page.total, hasMore: page.has_more }).toEqual(
        wanted(whole, offset, limit),
      );
    }
  }
});

test('records of a resource that was renamed: pages are right wherever they begin', async () => {
  await using store = await openSqlite(renamedFile, [rivalTable], serviceName);
  const whole = numbers.toReversed();
  const pages = offsetsOf(rows).map(async (offset) => {
    const { total, hasMore, items } = (await store.list('rival', { limit: 20, offset })) as Listing;
    const found = JSON.parse(`[${await textOf(items)}]`) as { id: string }[];
    expect({ numbers: found.map(numberOf), total, hasMore }).toEqual(wanted(whole, offset, 20));
  });
  await Promise.all(pages);
  // At a stop, each pending page is found or refused, and nothing hangs.
  const late = Promise.allSettled([0, 1].map(() => store.list('rival', { limit: 20, offset: rows / 2 })));
  await store.close();
  for (const end of await late) {
    if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'unavailable' });
  }
});

/** Gets one record after the other, on some connections. @returns when each get began and ended, after `stop` */
function readers(count: number): { stop: () => Promise<{ begin: number; end: number }[]> } {
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${testKey}` };
  const gets: { begin: number; end: number }[] = [];
  const over = new AbortController();
  const read = (n: number): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const url = `${server.url}${competitors}/${numbered('competitor', n)}`;
      get(url, { agent, headers }, (answer) => answer.resume().on('end', () => resolve(answer.statusCode))).on(
        'error',
        reject,
      );
    });
  const loops = Array.from({ length: count }, async (_, loop) => {
    for (let n = loop; !over.signal.aborted; n += count) {
      const begin = performance.now();
      expect(await read(n)).toBe(200);
      gets.push({ begin, end: performance.now() });
    }
  });
  return {
    async stop() {
      over.abort();
      await Promise.all(loops);
      agent.destroy();
      return gets;
    },
  };
}

test('while deep pages are looked for, gets beside them are answered', async () => {
  const connections = 4;
  const beside = readers(connections);
  await list(server, competitors, { offset: rows / 2 });
  const begin = performance.now();
  const pages = [];
  // One after the other is looked for.
  for (let wave = 0; wave < 4; wave++) {
    const deep = Array.from({ length: 16 }, (_, n) => rows / 2 + wave * 16 + n);
    pages.push(...(await Promise.all(deep.map((offset) => list(server, competitors, { offset, limit: 1 })))));
  }
  const end = performance.now();
  const gets = (await beside.stop()).filter((one) => one.end > begin && one.begin < end);
  expect(pages.map(({ data }) => numberOf(data[0]!))).toEqual(pages.map((_, n) => rows / 2 - 1 - n));
  // They are looked for on another thread.
  expect(gets.length).toBeGreaterThan(pages.length);
  expect(Math.max(...gets.map((one) => one.end - one.begin))).toBeLessThan((end - begin) / 2);
});

test('a page is that of one moment, while records come', async () => {
  const over = new AbortController();
  const writers = Array.from({ length: 4 }, async () => {
    while (!over.signal.aborted) await create(server, competitors, { competitor_name: 'new' });
  });
  for (let n = 0; n < 10; n++) {
    const offset = rows / 2 + n * 1000;
    const { data, total } = await list(server, competitors, { offset, limit: 20 });
    expect(data.map(numberOf)).toEqual(Array.from({ length: 20 }, (_, place) => total - 1 - offset - place));
  }
  over.abort();
  await Promise.all(writers);
  expect((await list(server, competitors, { limit: 1 })).total).toBeGreaterThan(rows);
});
