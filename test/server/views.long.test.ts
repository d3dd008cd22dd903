import { existsSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';

import * as tables from '../service/generated/tables.ts';
import { describeEngine, engines, type TestDatabase } from '../support/databases.ts';
import { pageIn, type Stored } from '../support/records.ts';
import { startServer, type TestServer, testKey } from '../support/server.ts';
import { skip } from '../support/skip.ts';

const orders = '/api/sales/order';
const mebibyte = 1_048_576;
/** The most that a page may add to the memory of a server: a part of what the whole of it would take. */
const mostHeld = 96 * mebibyte;

const many = { orders: 1_000, lines: 110, length: 100 };
const large = { orders: 2, lines: 60, length: 1_500_000 };

/** The URL of a PostgreSQL database that reads 90 MB on a busy machine, too: the tests look at memory, not at time. */
const patient = (url: string): string =>
  url.startsWith('postgres') ? `${url}?options=-c%20statement_timeout%3D60000` : url;

for (const engine of engines) {
  describeEngine(engine, 'long pages with line items', () => {
    let database: TestDatabase;
    let server: TestServer;

    const digits = (value: string): string =>
      engine.name === 'SQLite' ? `printf('%026d', ${value})` : `lpad((${value})::text, 26, '0')`;
    const series = (last: number): string =>
      `(with recursive n (i) as (select 1 union all select i + 1 from n where i < ${last}) select i from n)`;
    const text = (length: number): string =>
      engine.name === 'SQLite' ? `printf('%.*c', ${length}, 'x')` : `repeat('x', ${length})`;

    /** Stores orders with their lines by hand; the ids of the larger ones follow the others. */
    async function fill(first: number, { orders: count, lines, length }: typeof many): Promise<void> {
      const time = `'2024-02-29T12:00:00.000Z'`;
      await database.execute(`
        insert into "order" ("_organization", "id", "ordered_on", "company", "currency", "created_at", "updated_at")
          select 1, 'order_' || ${digits(`${first} + i`)}, '2024-02-29', 'company', 'EUR', ${time}, ${time}
          from ${series(count)} as _n`);
      await database.execute(`
        insert into "order_line" ("_organization", "id", "idx", "order_id", "article")
          select 1, 'order_line_' || ${digits(`(${first} + a.i) * 1000 + b.i`)}, b.i, 'order_' || ${digits(`${first} + a.i`)},
            ${text(length)} from ${series(count)} as a, ${series(lines)} as b`);
      await database.execute(`
        insert into "_row_counter" select 1, 'order_line', 'order_' || ${digits(`${first} + i`)}, 0, ${lines}
          from ${series(count)} as _n`);
      await database.execute(`
        update "_row_counter" set "count" = "count" + ${count}
          where "table" = 'order' and "parent" = '' and "shard" = 0`);
    }

    beforeAll(async () => {
      database = await engine.create();
      await (await database.open(Object.values(tables))).close();
      await fill(0, many);
      await fill(many.orders, large);
      server = await startServer({ alone: true, env: { DATABASE_URL: patient(database.url) } });
    }, 300_000);
    afterAll(async () => {
      await server?.close();
      await database?.[Symbol.asyncDispose]();
    });

    function held(): number | undefined {
      const file = `/proc/${server.process.pid}/status`;
      if (!existsSync(file)) return undefined;
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1]) * 1024;
    }

    const open = (path: string): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${testKey}` };
        get(server.url + path, { headers, agent: false }, resolve).on('error', reject);
      });

    /** Reads an answer and gives its text without the longest strings; how much memory it took at most, and its bytes. */
    async function read(path: string): Promise<{ body: string; rise: number | undefined; bytes: number }> {
      for (let n = 0; n < 30; n++) pageIn(await server.request('GET', `${orders}?limit=50&offset=10`));
      const before = held();
      let most = 0;
      const timer = setInterval(() => (most = Math.max(most, held() ?? 0)), 10);
      const answer = await open(path);
      expect(answer.statusCode).toBe(200);
      let bytes = 0;
      let body = '';
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        body += chunk.toString('latin1').replace(/x{50,}/g, '');
      }
      clearInterval(timer);
      return { body, bytes, rise: before === undefined ? undefined : most - before };
    }

    interface Order extends Stored {
      order_line: { data: Stored[]; has_more: boolean; total: number };
    }

    const expectLines = ({ id, order_line: { data, has_more, total } }: Order, lines: number): void => {
      expect([has_more, total]).toEqual([lines > 100, lines]);
      expect(data.map(({ idx }) => idx)).toEqual(Array.from({ length: Math.min(lines, 100) }, (_, n) => n + 1));
      expect(data.every(({ order_id }) => order_id === id)).toBe(true);
    };

    test('1,000 records with 100 line items each', async (context) => {
      const { body, rise, bytes } = await read(`${orders}?limit=1000&offset=${large.orders}&expand=order-line`);
      const { data, total } = JSON.parse(body) as { data: Order[]; total: number };
      expect([data.length, total]).toEqual([1000, many.orders + large.orders]);
      for (const order of data) expectLines(order, many.lines);
      expect(bytes).toBeGreaterThan(20 * mebibyte);
      if (rise === undefined) return skip(context, 'the memory of a process is only looked up in /proc');
      expect(rise / mebibyte).toBeLessThan(mostHeld / mebibyte);
    });

    test.each(['?limit=10&', `/order_${String(many.orders + 1).padStart(26, '0')}?`])(
      'line items that are long together: %s',
      async (path) => {
        const url = `${orders}${path}fields=company&expand=order-line`;
        const { body, rise, bytes } = await read(url);
        const found = JSON.parse(body) as Order | { data: Order[] };
        const records = 'data' in found ? (found.data as Order[]) : [found];
        const huge = records.filter(({ order_line }) => order_line.total === large.lines);
        expect(huge).toHaveLength(path.startsWith('?') ? large.orders : 1);
        for (const order of huge) expectLines(order, large.lines);
        expect(bytes).toBeGreaterThan(huge.length * large.lines * large.length);
        expect((rise ?? 0) / mebibyte).toBeLessThan(mostHeld / mebibyte);
      },
    );
  });
}
