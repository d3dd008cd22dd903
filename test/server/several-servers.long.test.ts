import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import * as generated from '../service/generated/tables.ts';
import type { Table } from '../../runtime/model/table.ts';
import { lineItemNamed, recordNamed, singletonNamed } from '../service/resources.ts';
import { describeEngine, engines, expectExactTotals, type TestDatabase } from '../support/databases.ts';
import { create, list, listAll, pageIn, retrieve, type Stored, storedIn } from '../support/records.ts';
import { fullBody, minimalBody } from '../support/samples.ts';
import { type Answer, startServer, type TestServer } from '../support/server.ts';
import { until } from './workers.ts';

const tables = Object.values<Table>(generated);
const order = recordNamed('order');
const orderLine = lineItemNamed('order_line');
const bomItem = lineItemNamed('bom_item');
const brand = lineItemNamed('discount_brand');
const settings = singletonNamed('booking_settings');

type Request = readonly [method: string, path: string, body?: object];

const statuses = (answers: readonly Answer[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

for (const engine of engines) {
  describeEngine(engine, 'three servers on one database', () => {
    let database: TestDatabase;
    let servers: [TestServer, TestServer, TestServer];

    beforeAll(async () => {
      database = await engine.create();
      // All at once, over nothing: each of them would make the schema.
      const start = (): Promise<TestServer> => startServer({ env: { DATABASE_URL: database.url } });
      servers = await Promise.all([start(), start(), start()]);
    });

    afterAll(async () => {
      for (const server of servers ?? []) await server.close();
      await database?.[Symbol.asyncDispose]();
    });

    /** Sends all requests at one moment, to one server after the other. */
    const race = (requests: readonly Request[]): Promise<Answer[]> =>
      Promise.all(
        requests.map(([method, path, body], n) => servers[n % 3]!.request(method, path, ...(body ? [body] : []))),
      );

    const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

    test('one of several racing submits wins, and each other one gets a conflict', async () => {
      for (let round = 0; round < 2; round++) {
        const { id } = await create(servers[0], order.path, minimalBody(order));
        const submits = await race(times(24, () => ['POST', `${order.path}/${id}/submit`] as const));
        expect(statuses(submits)).toEqual({ 200: 1, 409: 23 });
        const cancels = await race(times(24, () => ['POST', `${order.path}/${id}/cancel`] as const));
        expect(statuses(cancels)).toEqual({ 200: 1, 409: 23 });
        const winner = cancels.find(({ status }) => status === 200)?.body;
        for (const server of servers) expect(await retrieve(server, order.path, id)).toEqual(winner);
      }
    });

    test('racing creates of line items get places from 1 on, none left out or given twice', async () => {
      const { id } = await create(servers[0], order.path, minimalBody(order));
      const pair = { parent_id: 'p', parent_type: 'Rule' };
      const answers = await race([
        ...times(60, () => ['POST', orderLine.path, minimalBody(orderLine, id)] as const),
        ...times(30, () => ['POST', brand.path, pair] as const),
        ...times(30, () => ['POST', brand.path, { ...pair, parent_type: 'Other' }] as const),
      ]);
      expect(statuses(answers)).toEqual({ 201: 120 });
      const placesOf = (items: readonly Stored[]): unknown[] => items.map(({ idx }) => idx);
      const all = await listAll(servers[1], orderLine.path, { parent_id: id });
      expect(placesOf(all)).toEqual(times(60, (n) => n + 1));
      const brands = await listAll(servers[2], brand.path, { parent_id: 'p' });
      const ofRule = brands.filter((item) => item['parent_type'] === 'Rule');
      expect(placesOf(ofRule)).toEqual(times(30, (n) => n + 1));
      expect(brands).toHaveLength(60);
    });

    test('racing reorders are done whole, one after the other', async () => {
      const items: Stored[] = [];
      for (let n = 0; n < 10; n++) items.push(await create(servers[n % 3]!, bomItem.path, minimalBody(bomItem, 'bom')));
      // Each names the items in an order of its own, in which two could wait for each other.
      const orders = times(18, (turn) =>
        items.map((_, n) => ({ id: items[(n + turn) % items.length]!.id, idx: turn * 100 + n })),
      );
      const wrong = { items: [...orders[0]!.map((entry) => ({ ...entry, idx: -1 })), { id: 'bom_item_none', idx: 1 }] };
      const answers = await race([
        ...orders.map((entries) => ['POST', `${bomItem.path}/reorder`, { items: entries }] as const),
        ...times(6, () => ['POST', `${bomItem.path}/reorder`, wrong] as const),
      ]);
      expect(statuses(answers)).toEqual({ 200: 18, 404: 6 });
      const orderOf = (all: readonly Stored[]): unknown[] => all.map(({ id, idx }) => ({ id, idx }));
      for (const answer of answers.filter(({ status }) => status === 200)) {
        expect(orders).toContainEqual(orderOf(pageIn(answer).data));
      }
      const [first, ...others] = await Promise.all(
        servers.map((server) => listAll(server, bomItem.path, { parent_id: 'bom' })),
      );
      expect(orders).toContainEqual(orderOf(first!));
      for (const other of others) expect(other).toEqual(first);
    });

    test('racing updates of a singleton lose no field, and there is one of it', async () => {
      const [before, ...others] = await race(times(3, () => ['GET', settings.path] as const));
      const { id } = storedIn(before!);
      for (const other of others) expect(storedIn(other)).toEqual(storedIn(before!));
      for (let round = 1; round <= 2; round++) {
        const fields = {
          number_of_bays: round,
          holiday_list: `list ${round}`,
          visit_minutes: round * 10,
          email_reminders: round % 2 === 1,
          days_ahead: round * 3,
          takes_bookings: round % 2 === 1,
          confirmation_page: `url ${round}`,
        };
        const patches = Object.entries(fields).map(([name, value]) => ({ [name]: value }));
        const answers = await race(patches.map((patch) => ['PATCH', `${settings.path}/${id}`, patch] as const));
        expect(statuses(answers)).toEqual({ 200: patches.length });
        for (const server of servers) {
          expect(storedIn(await server.request('GET', settings.path))).toMatchObject({ id, ...fields });
        }
      }
      expect(await database.query(`select "id" from "${settings.name}"`)).toEqual([{ id }]);
    });

    test('racing updates of one record lose no field, and its time never goes back', async () => {
      const { id } = await create(servers[0], order.path, minimalBody(order));
      const fields = fullBody(order, undefined, 3);
      const patches = Object.entries(fields).map(([name, value]) => ({ [name]: value }));
      const same = times(12, (n) => ({ company: `company ${n}` }));
      const answers = await race(
        [...patches, ...same].map((patch) => ['PATCH', `${order.path}/${id}`, patch] as const),
      );
      expect(statuses(answers)).toEqual({ 200: patches.length + same.length });
      const now = await retrieve(servers[0], order.path, id);
      const { company, ...others } = fields;
      expect(now).toMatchObject(others);
      expect([company, ...same.map((patch) => patch.company)]).toContain(now['company']);
      const latest = answers.map(({ body }) => (body as { updated_at: string }).updated_at).toSorted();
      expect(now['updated_at']).toBe(latest.at(-1));
      for (const server of servers) expect(await retrieve(server, order.path, id)).toEqual(now);
    });

    test('a line item that is made while its parent is deleted elsewhere does not survive it', async () => {
      for (let round = 0; round < 4; round++) {
        const { id } = await create(servers[0], order.path, minimalBody(order));
        const kept = await create(servers[0], order.path, minimalBody(order));
        const mover = await create(servers[0], orderLine.path, minimalBody(orderLine, kept.id));
        const requests: Request[] = times(18, (n) => {
          // Those whose place is given need not look for the last one.
          const place = n % 2 === 0 ? {} : { idx: n };
          return ['POST', orderLine.path, { ...minimalBody(orderLine, n === 0 ? kept.id : id), ...place }];
        });
        const move = ['PATCH', `${orderLine.path}/${mover.id}`, { [orderLine.parentField]: id }] as const;
        const answers = await race(requests.toSpliced(round * 4, 0, ['DELETE', `${order.path}/${id}`], move));
        expect(answers[round * 4]?.status).toBe(200);
        const moved = answers[round * 4 + 1]!;
        expect([200, 404, 409]).toContain(moved.status);
        for (const { status } of answers.toSpliced(round * 4, 2)) expect([201, 409]).toContain(status);
        for (const server of servers) {
          expect(await list(server, orderLine.path, { parent_id: id })).toMatchObject({ data: [], total: 0 });
          const left = await list(server, orderLine.path, { parent_id: kept.id });
          expect(left.total).toBe(moved.status === 200 ? 1 : 2);
        }
      }
      const orphans = await database.query(
        `select "id" from "${orderLine.name}" where "${orderLine.parentField}" not in
          (select "id" from "${order.name}")`,
      );
      expect(orphans).toEqual([]);
    });

    test('a write to one is read from the others', async () => {
      for (let n = 0; n < 12; n++) {
        const [writer, reader] = [servers[n % 3]!, servers[(n + 1) % 3]!];
        const made = await create(writer, order.path, minimalBody(order));
        expect(await retrieve(reader, order.path, made.id)).toEqual(made);
        expect((await list(reader, order.path, { limit: 1 })).data).toEqual([made]);
        const path = `${order.path}/${made.id}`;
        const changed = storedIn(await reader.request('PATCH', path, { company: `now ${n}` }));
        expect(await retrieve(writer, order.path, made.id)).toEqual(changed);
        expect((await list(writer, order.path, { limit: 1 })).data).toEqual([changed]);
        if (n % 2 === 0) continue;
        storedIn(await writer.request('DELETE', path));
        expect((await reader.request('GET', path)).status).toBe(404);
      }
    });

    test('deletes of many from all of them are done once each', async () => {
      const made = await race(times(30, () => ['POST', order.path, minimalBody(order)] as const));
      const ids = made.map((answer) => storedIn(answer, 201).id);
      const { total } = await list(servers[0], order.path, { limit: 1 });
      const deletes = [...ids, ...ids.toReversed(), ...ids].map((id) => ['DELETE', `${order.path}/${id}`] as const);
      expect(statuses(await race(deletes))).toEqual({ 200: 30, 404: 60 });
      for (const server of servers) expect((await list(server, order.path, { limit: 1 })).total).toBe(total - 30);
    });

    test('one that is killed takes nothing of the others with it', async () => {
      const [killed, ...others] = servers;
      const over = new AbortController();
      const written = new Map<TestServer, number>();
      /** Makes, moves and deletes through one server. @returns how many items it has been told are there */
      const write = async (server: TestServer): Promise<number> => {
        let count = 0;
        for (let n = 0; !over.signal.aborted; n++) {
          const made = await create(server, bomItem.path, minimalBody(bomItem, `place ${n % 3}`));
          written.set(server, n);
          const path = `${bomItem.path}/${made.id}`;
          storedIn(await server.request('PATCH', path, { [bomItem.parentField]: `place ${n % 4}` }));
          if (n % 2 === 0) count++;
          else storedIn(await server.request('DELETE', path));
        }
        return count;
      };
      const broken = write(killed).catch(() => undefined);
      const writers = others.map(write);
      await until('all of them write', () => servers.every((server) => (written.get(server) ?? 0) > 4));
      await killed.kill();
      await broken;
      const atKill = new Map(written);
      const goesOn = (server: TestServer): boolean => (written.get(server) ?? 0) >= (atKill.get(server) ?? 0) + 4;
      await until('the others write on', () => others.every(goesOn));
      over.abort();
      for (const count of await Promise.all(writers)) expect(count).toBeGreaterThan(1);
      await expectExactTotals(database, tables);
      await killed.start();
      for (let n = 0; n < 4; n++) {
        const [first, ...rest] = await Promise.all(
          servers.map((server) => list(server, bomItem.path, { parent_id: `place ${n}`, limit: 1000 })),
        );
        expect(first!.data).toHaveLength(first!.total);
        for (const page of rest) expect(page).toEqual(first);
      }
    });

    describe('in the end', () => {
      test('the totals are those of the rows', async () => {
        await expectExactTotals(database, tables);
        const rows = await database.query(`select count(*) as "count" from "${order.name}"`);
        for (const server of servers) {
          expect((await list(server, order.path, { limit: 1 })).total).toBe(Number(rows[0]?.['count']));
        }
      });
    });
  });
}
