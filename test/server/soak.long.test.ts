import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import * as generated from '../service/generated/tables.ts';
import type { Table } from '../../runtime/schema/table.ts';
import { lineItemNamed, recordNamed } from '../service/resources.ts';
import { usageOf } from '../bench/processes.ts';
import { describeEngine, engines, expectExactTotals, type TestDatabase } from '../support/databases.ts';
import { Random } from '../support/random.ts';
import { create, list, listAll, remove, retrieve, type Stored, storedIn, update } from '../support/records.ts';
import { fullBody, minimalBody } from '../support/samples.ts';
import { repeatable, seed } from '../support/seed.ts';
import { startServer, type TestServer } from '../support/server.ts';

const duration = 75_000; // milliseconds
const clients = 8;
/** How many records each client keeps: the database stays as large as it is after the first seconds. */
const kept = 200;
const mebibyte = 1_048_576;

const tables = Object.values<Table>(generated);
const order = recordNamed('order');
const item = lineItemNamed('order_line');

/** Somebody who knows what all of its records are to be like. */
class Client {
  readonly #server: TestServer;
  readonly #random: Random;
  readonly records = new Map<string, Stored>();
  done = 0;

  constructor(server: TestServer, random: Random) {
    this.#server = server;
    this.#random = random;
  }

  async step(): Promise<void> {
    const random = this.#random;
    const known = [...this.records.values()];
    if (known.length < kept) return this.#create();
    const one = random.of(known);
    const path = `${order.path}/${one.id}`;
    switch (random.weighted({ get: 8, page: 4, items: 2, update: 3, submit: 1, replace: 2 })) {
      case 'get':
        expect(await retrieve(this.#server, order.path, one.id)).toEqual(one);
        break;
      case 'page': {
        const page = await list(this.#server, order.path, { limit: 20, offset: random.below(clients * kept) });
        for (const found of page.data)
          if (this.records.has(found.id)) expect(found).toEqual(this.records.get(found.id));
        break;
      }
      case 'items':
        expect(await list(this.#server, item.path, { parent_id: one.id })).toMatchObject({ total: 2, has_more: false });
        break;
      case 'update':
        this.records.set(one.id, await update(this.#server, order.path, one.id, { company: `now ${random.next()}` }));
        break;
      case 'submit': {
        const answer = await this.#server.request('POST', `${path}/submit`);
        expect(answer.status).toBe(one['status'] === 'draft' ? 200 : 409);
        if (answer.status === 200) this.records.set(one.id, storedIn(answer));
        break;
      }
      case 'replace':
        await remove(this.#server, order.path, one.id);
        this.records.delete(one.id);
    }
  }

  async #create(): Promise<void> {
    const made = await create(this.#server, order.path, fullBody(order, undefined, this.#random.below(9)));
    const { id } = made;
    this.records.set(id, await update(this.#server, order.path, id, { status: 'draft' }));
    for (let n = 0; n < 2; n++) await create(this.#server, item.path, minimalBody(item, id));
  }
}

for (const engine of engines) {
  describeEngine(engine, `a server in use for ${duration / 1_000} seconds`, () => {
    let database: TestDatabase;
    let server: TestServer;

    beforeEach(repeatable);
    beforeAll(async () => {
      database = await engine.create();
      server = await startServer({ env: { DATABASE_URL: database.url } });
    });
    afterAll(async () => {
      await server?.close();
      await database?.[Symbol.asyncDispose]();
    });

    test('answers everything, in time, and neither grows nor forgets', async () => {
      let errors = '';
      server.process.stderr.on('data', (text: string) => (errors += text));
      const all = Array.from({ length: clients }, (_, n) => new Client(server, new Random(seed * 100 + n)));
      let slowest = 0;
      const workUntil = (end: number): Promise<unknown> =>
        Promise.all(
          all.map(async (client) => {
            for (let begin = performance.now(); begin < end; begin = performance.now()) {
              await client.step();
              client.done += 1;
              slowest = Math.max(slowest, performance.now() - begin);
            }
          }),
        );
      const begin = performance.now();
      await workUntil(begin + duration / 3);
      const before = usageOf(server.process.pid!).memory;
      await workUntil(begin + duration);
      const rise = (usageOf(server.process.pid!).memory - before) / mebibyte;
      const done = all.reduce((sum, client) => sum + client.done, 0);
      console.info(
        `${engine.name}: ${done} steps, the slowest in ${slowest.toFixed()} ms; ${rise.toFixed(1)} MiB more.`,
      );
      expect(rise, 'MiB more').toBeLessThan(80);
      expect(slowest).toBeLessThan(5_000);
      expect(errors).toBe('');
      const known = all.flatMap(({ records }) => [...records.values()]);
      const byId = (a: Stored, b: Stored): number => (a.id < b.id ? -1 : 1);
      expect((await listAll(server, order.path)).toSorted(byId)).toEqual(known.toSorted(byId));
      await expectExactTotals(database, tables);
      expect(await server.stop()).toBe(0);
    });
  });
}
