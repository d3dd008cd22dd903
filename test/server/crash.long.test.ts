import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { service } from '../service/generated/app.ts';
import { describeEngine, engines, expectExactTotals, type TestDatabase } from '../support/databases.ts';
import { lineItemNamed, recordNamed } from '../service/resources.ts';
import { Random } from '../support/random.ts';
import { create, list, listAll, type Stored, storedIn } from '../support/records.ts';
import { fullBody, keysOf, minimalBody } from '../support/samples.ts';
import { longRounds, repeatable, seed } from '../support/seed.ts';
import { startServer, type TestServer } from '../support/server.ts';

const order = recordNamed('order');
const item = lineItemNamed('order_line');
const free = lineItemNamed('bom_item');
const { tables } = service;
const random = new Random(seed);
/** After how many answers each round kills; every one but the first over what those before it have left. */
const kills = [97, 350, ...Array.from({ length: longRounds(4, 8) }, () => 20 + random.below(300))];

beforeEach(repeatable);

/** The confirmed writes of one connection, and the record of its last, unanswered write. */
type Told = { records: Map<string, Stored>; items: Map<string, Stored>; gone: Set<string>; underWay?: string };

for (const engine of engines) {
  describeEngine(engine, 'a server that is killed', () => {
    let server: TestServer;
    let database: TestDatabase;
    const told: Told[] = [];

    beforeAll(async () => {
      database = await engine.create(tables);
      server = await startServer({ env: { DATABASE_URL: database.url } });
    }, 30_000);

    afterAll(async () => {
      await server?.close();
      await database?.[Symbol.asyncDispose]();
    }, 20_000);

    /** Writes one thing after another until the server is gone, and notes every answer. */
    async function writeUntilTheEnd(notes: Told, onAnswer: () => void): Promise<void> {
      const write = async (method: string, path: string, body?: object): Promise<Stored> => {
        const answer = await server.request(method, path, body);
        if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.text}`);
        onAnswer();
        return answer.body as Stored;
      };
      for (let round = 0; ; round += 1) {
        const { id, ...rest } = await write('POST', order.path, fullBody(order, undefined, round % 2));
        notes.records.set(id, { id, ...rest });
        notes.underWay = id;
        for (let count = 0; count < 2; count += 1) {
          const made = await write('POST', item.path, fullBody(item, id, count));
          notes.items.set(made.id, made);
        }
        notes.records.set(id, await write('PATCH', `${order.path}/${id}`, { status: 'draft' }));
        notes.records.set(id, await write('POST', `${order.path}/${id}/submit`));
        if (round % 3 === 2) {
          await write('DELETE', `${order.path}/${id}`);
          notes.records.delete(id);
          notes.gone.add(id);
          for (const [itemId, made] of notes.items) if (made[item.parentField] === id) notes.items.delete(itemId);
        }
        delete notes.underWay;
      }
    }

    /** Makes line items, moves them to other parents and deletes them, until the server is gone. */
    async function moveUntilTheEnd(): Promise<void> {
      for (let n = 0; ; n += 1) {
        const made = storedIn(await server.request('POST', free.path, minimalBody(free, `parent ${n % 3}`)), 201);
        const path = `${free.path}/${made.id}`;
        storedIn(await server.request('PATCH', path, { [free.parentField]: `parent ${(n * 7) % 5}` }));
        if (n % 3 === 0) await server.request('DELETE', path);
      }
    }

    describe.each(kills)('killed after %i answered writes', (enough) => {
      beforeAll(async () => {
        let answers = 0;
        const { promise: reached, resolve } = Promise.withResolvers<void>();
        const writers = Array.from({ length: 8 }, () => {
          const notes: Told = { records: new Map(), items: new Map(), gone: new Set() };
          told.push(notes);
          return writeUntilTheEnd(notes, () => {
            answers += 1;
            if (answers === enough) resolve();
          });
        });
        const movers = Array.from({ length: 4 }, moveUntilTheEnd);
        const all = Promise.all(
          [...writers, ...movers].map((writer) =>
            writer.catch((error: unknown) => {
              // The connection breaks; anything else is a wrong answer.
              const { code = '' } = error as NodeJS.ErrnoException;
              if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(code)) throw error;
            }),
          ),
        );
        await Promise.race([reached, all]);
        await server.kill();
        await all;
        expect(answers).toBeGreaterThanOrEqual(enough); // fewer: the server has ended by itself
      }, 60_000);

      test('every total is the number of the rows, before a server comes back and after', async () => {
        await expectExactTotals(database, tables);
        await server.restart();
        await expectExactTotals(database, tables);
        const page = await list(server, free.path, { parent_id: 'parent 0', limit: 1000 });
        expect(page).toMatchObject({ total: page.data.length, has_more: false });
      });

      const underWay = (): Set<string> => new Set(told.flatMap(({ underWay: id }) => id ?? []));

      test('every answered write is there', async () => {
        const records = new Map((await listAll(server, order.path)).map((one) => [one.id, one]));
        const open = underWay();
        for (const notes of told) {
          for (const [id, wanted] of notes.records) {
            const found = records.get(id);
            // The unanswered write may have been done or not: the next step of the record, or its delete.
            if (!open.has(id)) expect(found).toEqual(wanted);
            else if (wanted['status'] === 'submitted') expect([wanted, undefined]).toContainEqual(found);
            else {
              const status = [wanted['status'], wanted['status'] === 'draft' ? 'submitted' : 'draft'];
              expect(status).toContain(found?.['status']);
              expect(found).toMatchObject({ ...wanted, status: found!['status']!, updated_at: found!['updated_at']! });
            }
          }
          for (const id of notes.gone) expect(records.has(id), id).toBe(false);
          const ofParent = Object.groupBy(notes.items.values(), (made) => String(made[item.parentField]));
          for (const [parent, items = []] of Object.entries(ofParent)) {
            if (open.has(parent) && !records.has(parent)) continue;
            const { data } = await list(server, item.path, { parent_id: parent });
            expect(data).toEqual(expect.arrayContaining(items));
          }
        }
      });

      test('no write is half there', async () => {
        const records = await listAll(server, order.path);
        const { total } = await list(server, order.path, { limit: 1 });
        expect(records).toHaveLength(total);
        expect(new Set(records.map(({ id }) => id)).size).toBe(total);
        for (const record of records) {
          expect(Object.keys(record)).toEqual(keysOf(order));
          const variant = record['company'] === fullBody(order)['company'] ? 0 : 1;
          expect(record).toMatchObject({ ...fullBody(order, undefined, variant), status: record['status']! });
          const page = await list(server, item.path, { parent_id: record.id });
          expect(page).toMatchObject({ has_more: false, total: page.data.length });
          for (const [index, made] of page.data.entries()) {
            expect(made).toEqual({ id: made.id, ...fullBody(item, record.id, index) });
          }
        }
      });

      test('a deleted record has left no items', async () => {
        for (const { gone } of told) {
          for (const id of gone) {
            expect(await list(server, item.path, { parent_id: id })).toEqual({ data: [], has_more: false, total: 0 });
          }
        }
      });

      test('the server writes on, and the newest still comes first', async () => {
        const before = await list(server, order.path, { limit: 3 });
        const created = await create(server, order.path, minimalBody(order));
        const after = await list(server, order.path, { limit: 4 });
        expect(after).toEqual({ data: [created, ...before.data], has_more: before.has_more, total: before.total + 1 });
        storedIn(await server.request('DELETE', `${order.path}/${created.id}`));
      });
    });
  });
}
