import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { service } from '../service/generated/app.ts';
import { lineItemNamed, recordNamed } from '../service/resources.ts';
import {
  citus,
  describeEngine,
  disconnected,
  engines,
  expectExactTotals,
  type TestDatabase,
} from '../support/databases.ts';
import { Random } from '../support/random.ts';
import { create, type Stored } from '../support/records.ts';
import { minimalBody } from '../support/samples.ts';
import { longRounds, repeatable, seed } from '../support/seed.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Operation, result, send, tables } from './batch.ts';

/** On each engine. */
const kills = longRounds(6, 100);
const clients = 4;
/** Orders of a batch, each with a line item of its own. */
const orders = 20;

const order = recordNamed('order');
const line = lineItemNamed('order_line');
const random = new Random(seed);

beforeEach(repeatable);

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'a server that is killed while it does batches', () => {
    let database: TestDatabase;
    let server: TestServer;
    /** Each of them is moved by every batch of a client. */
    const ledgers: Stored[] = [];

    beforeAll(async () => {
      database = await engine.create(service.tables);
      await database.prepare?.(service.tables);
      server = await startServer({ env: { DATABASE_URL: database.serverUrl ?? database.url } });
      for (let n = 0; n < clients; n++) ledgers.push(await create(server, order.path, minimalBody(order)));
    });
    afterAll(async () => {
      await server?.close();
      await database?.[Symbol.asyncDispose]();
    });

    /** Creates orders with a line each, deletes the first one, and notes in a record that it has done so. */
    function batchOf(name: string, ledger: Stored): Operation[] {
      const operations = Array.from({ length: orders }, (_, n): Operation[] => [
        { method: 'POST', path: order.path, body: { ...minimalBody(order), company: name } },
        {
          method: 'POST',
          path: line.path,
          body: { ...minimalBody(line), [line.parentField]: result(2 * n), article: name },
        },
      ]).flat();
      return [
        ...operations,
        { method: 'DELETE', path: `${order.path}/{result:0}` },
        { method: 'PATCH', path: `${order.path}/${ledger.id}`, body: { notes: name } },
      ];
    }

    /** How many orders and line items there are of each of these batches. */
    async function foundOf(names: readonly string[]): Promise<Map<string, readonly [orders: number, lines: number]>> {
      const list = names.map((name) => `'${name}'`).join();
      const count = async (table: string, column: string): Promise<Map<unknown, number>> => {
        const sql = `select ${column} as name, count(*) as rows from "${table}" where ${column} in (${list}) group by 1`;
        return new Map((await database.query(sql)).map(({ name, rows }) => [name, Number(rows)]));
      };
      const [ofOrders, ofLines] = [await count('order', 'company'), await count('order_line', 'article')];
      return new Map(names.map((name) => [name, [ofOrders.get(name) ?? 0, ofLines.get(name) ?? 0]]));
    }

    test(`is all or nothing, ${kills} times`, async () => {
      const answered = new Set<string>();
      /** The notes of each ledger, as the batches done have left them. */
      const notes = new Map<string, string | null>(ledgers.map(({ id }) => [id, null]));
      let undone = 0;
      let doneUntold = 0;

      for (let round = 0; round < kills; round++) {
        const sent: { readonly name: string; readonly ledger: Stored }[] = [];
        /** Sends batches until the server is gone. */
        const work = async (ledger: Stored, client: number): Promise<void> => {
          for (let n = 0; ; n++) {
            const name = `${round} ${client} ${n}`;
            sent.push({ name, ledger });
            const answer = await send(server, batchOf(name, ledger));
            expect(answer.status, answer.text).toBe(200);
            answered.add(name);
          }
        };
        const before = answered.size;
        const workers = ledgers.map((ledger, client) =>
          work(ledger, client).catch((error: unknown) => {
            const { code = '' } = error as NodeJS.ErrnoException;
            if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(code)) throw error;
          }),
        );
        // Once it is warm, at any moment of the next batches.
        while (answered.size < before + clients) await Promise.race([...workers, pause(1)]);
        await pause(random.below(40));
        await server.kill();
        await Promise.all(workers);
        await disconnected(engine, database);

        const found = await foundOf(sent.map(({ name }) => name));
        const whole = [orders - 1, orders - 1];
        for (const { name, ledger } of sent) {
          const isDone = found.get(name)?.[0] !== 0;
          expect(found.get(name), name).toEqual(isDone ? whole : [0, 0]);
          if (answered.has(name)) expect(isDone, name).toBe(true);
          else if (isDone) doneUntold++;
          else undone++;
          if (isDone) notes.set(ledger.id, name);
        }
        for (const [id, note] of notes) {
          expect(await database.query(`select notes from "order" where id = '${id}'`)).toEqual([{ notes: note }]);
        }
        await expectExactTotals(database, tables);
        await server.start();
      }
      console.info(`${engine.name}: ${answered.size} batches answered, ${undone} undone, ${doneUntold} done untold`);
      // Else no kill has come in the middle of a batch. Between its commit and its answer, few of them come.
      expect(undone).toBeGreaterThan(0);
    }, 3_600_000);
  });
}
