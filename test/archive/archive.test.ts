import { expect, test } from 'vitest';

import { runInProcess } from '../server/in-process.ts';
import { citus, describeEngine, engines } from '../support/databases.ts';
import { expectProblem } from '../support/problem.ts';
import { generateProject } from '../support/project.ts';
import { create, list, retrieve, storedIn, type Stored } from '../support/records.ts';
import { sharedServer } from '../support/server.ts';
import type { Service } from '../../runtime/index.ts';
import { join } from 'node:path';
import { shop } from './shop.ts';

const project = await generateProject(shop);
const { service } = (await import(join(project, 'generated/app.ts'))) as { service: Service };
const [customers, addresses, orders] = ['/api/shop/customer', '/api/shop/address', '/api/shop/order'] as const;

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'records that are archived', () => {
    const server = sharedServer({ project, engine, tables: service.tables });

    const ask = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
      server.request(method, path, body, headers);
    const done = async (method: string, path: string, body?: object): Promise<Stored> =>
      storedIn(await ask(method, path, body));
    const archive = (path: string, id: string): Promise<Stored> => done('POST', `${path}/${id}/archive`);
    const unarchive = (path: string, id: string): Promise<Stored> => done('POST', `${path}/${id}/unarchive`);
    const batch = (...operations: object[]) => ask('POST', '/api/batch', { operations });

    /** The names in a list of customers of one city, and its total. */
    async function names(city: string, query: Record<string, string | number> = {}): Promise<unknown> {
      const page = await list(server, customers, { city, ...query });
      return [page.data.map(({ name }) => name).join(''), page.total];
    }

    /** Customers A, B and C of a city, of which B is archived. */
    async function threeIn(city: string): Promise<Record<'A' | 'B' | 'C', Stored>> {
      const [A, B, C] = await Promise.all(['A', 'B', 'C'].map((name) => create(server, customers, { name, city })));
      return { A: A!, B: await archive(customers, B!.id), C: C! };
    }

    test('are left out of lists that do not ask for them, with exact totals, cursors and searches', async () => {
      const { A, B } = await threeIn('Lyon');
      expect(B['archived_at']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(await retrieve(server, customers, B.id)).toEqual(B);
      const sort = { sort: 'name' };
      expect(await names('Lyon', sort)).toEqual(['AC', 2]);
      expect(await names('Lyon', { ...sort, archived: 'false' })).toEqual(['AC', 2]);
      expect(await names('Lyon', { ...sort, archived: 'true' })).toEqual(['B', 1]);
      expect(await names('Lyon', { ...sort, archived: 'any' })).toEqual(['ABC', 3]);
      expect(await names('Lyon', { ...sort, q: 'b' })).toEqual(['', 0]);
      expect(await names('Lyon', { ...sort, q: 'b', archived: 'any' })).toEqual(['B', 1]);
      expect(await names('Lyon', { ...sort, 'archived_at[null]': 'false', archived: 'any' })).toEqual(['B', 1]);
      expect(await names('Lyon', { ...sort, after: A.id, limit: 1 })).toEqual(['C', 2]);
      expect(await names('Lyon', { ...sort, after: B.id })).toEqual(['C', 2]);
      const all = (await list(server, customers, { archived: 'any', limit: 1000 })).total;
      const archived = (await list(server, customers, { archived: 'true', limit: 1000 })).total;
      expect((await list(server, customers)).total).toBe(all - archived);
      // The totals of these lists are those of counters.
      for (const query of [{}, { archived: 'true' }, { archived: 'any' }]) {
        const page = await list(server, customers, { ...query, limit: 1000 });
        expect([query, page.total]).toEqual([query, page.data.length]);
        const sorted = await list(server, customers, { ...query, limit: 1000, sort: 'name' });
        expect([query, sorted.data.map(({ id }) => id).toSorted()]).toEqual([
          query,
          page.data.map(({ id }) => id).toSorted(),
        ]);
      }
    });

    test('are asked for in one way alone: other values are refused, as is the parameter of what has no archive', async () => {
      const { B } = await threeIn('Nice');
      const detail = async (query: string, path: string = customers): Promise<string> =>
        expectProblem(await ask('GET', `${path}?${query}`), 400, 'invalid_query').detail;
      const known = 'The query parameter "archived" must be true for archived records alone, any for all, or false.';
      const values = ['yes', '', '1', 'TRUE', 'Any', 'true,any', 'true%20', '%00', 'null', 'toString'];
      for (const query of ['archived', ...values.map((value) => `archived=${value}`)]) {
        expect(await detail(query), query).toBe(known);
        expect(await detail(`city=Nice&expand=orders&${query}`), query).toBe(known);
      }
      for (const query of ['archived=true&archived=true', 'archived=true&archived=any', 'archived=any&%61rchived=true'])
        expect(await detail(query), query).toBe('The query parameter "archived" is given more than once.');
      for (const query of ['archived[]=true', 'archived[in]=true', 'Archived=true'])
        expect(await detail(query), query).toMatch(/^The query parameter .* is unknown/);
      for (const name of ['archived_at', 'archived_at[null]', 'archived_at[gte]'])
        expect(await detail(`${name}=${name.includes('null') ? 'false' : '2026-01-01T00:00:00Z'}`)).toBe(
          `The query parameter "${name}" is about archived records, which lists leave out: add archived=true for these alone, or archived=any for all.`,
        );
      expect(await names('Nice', { 'archived_at[null]': 'true', sort: 'name' })).toEqual(['AC', 2]);
      // A record is read whether it is archived or not, and what has no archive is listed whole.
      for (const query of ['archived=any', 'archived=true&expand=orders'])
        expect(await detail(query, `${customers}/${B.id}`)).toContain('"archived" is unknown');
      expect(await detail(`parent_id=${B.id}&archived=any`, addresses)).toContain('"archived" is unknown');
    });

    test('change by nothing but unarchive, in a batch and alone, nor do their line items', async () => {
      const { id } = await create(server, customers, { name: 'D', email: `${engine.name}@d.example` });
      const item = await create(server, addresses, { customer_id: id, street: 'Old' });
      const { id: other } = await create(server, customers, { name: 'E' });
      const moved = await create(server, addresses, { customer_id: other });
      const archived = await archive(customers, id);
      expect(archived['total']).toBe(1);
      for (const [method, path, body] of [
        ['PATCH', `${customers}/${id}`, { name: 'X' }],
        ['DELETE', `${customers}/${id}`],
        ['POST', `${customers}/${id}/block`],
        ['POST', addresses, { customer_id: id }],
        ['PATCH', `${addresses}/${item.id}`, { street: 'New' }],
        ['PATCH', `${addresses}/${moved.id}`, { customer_id: id }],
        ['PATCH', `${addresses}/${item.id}`, { customer_id: other }],
        ['DELETE', `${addresses}/${item.id}`],
        ['POST', `${addresses}/reorder`, { items: [{ id: item.id, idx: 4 }] }],
      ] as const) {
        const problem = expectProblem(await ask(method, path, body), 409, 'locked');
        expect(problem.detail).toBe(`The customer ${id} is locked: it is archived.`);
        expectProblem(await batch({ method, path, ...(body && { body }) }), 409, 'locked');
      }
      expect(await retrieve(server, customers, id)).toEqual(archived);
      expect(await done('PATCH', `${customers}/${id}`, archived)).toEqual(archived);
    });

    test('are archived once and unarchived once, whoever is first, also in a state that locks them', async () => {
      const { id } = await create(server, customers, { name: 'F' });
      const blocked = await done('POST', `${customers}/${id}/block`);
      expectProblem(await ask('PATCH', `${customers}/${id}`, { name: 'X' }), 409, 'locked');
      const tries = await Promise.all(Array.from({ length: 8 }, () => ask('POST', `${customers}/${id}/archive`)));
      expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const answer of tries.filter(({ status }) => status !== 200)) expectProblem(answer, 409, 'wrong_state');
      expect(expectProblem(await ask('POST', `${customers}/${id}/archive`), 409, 'wrong_state').detail).toBe(
        'The customer is archived already.',
      );
      expectProblem(await ask('POST', `${customers}/${id}/unblock`), 409, 'locked');
      const after = await unarchive(customers, id);
      expect(after).toEqual({ ...blocked, updated_at: after['updated_at'] });
      expect(expectProblem(await ask('POST', `${customers}/${id}/unarchive`), 409, 'wrong_state').detail).toBe(
        'The customer is not archived.',
      );
      expectProblem(await ask('POST', `${customers}/customer_0/archive`), 404, 'not_found');
      expectProblem(await ask('POST', `${customers}/${id}/archive?now=1`), 400, 'invalid_query');
      expectProblem(
        await ask('PATCH', `${customers}/${id}`, { archived_at: '2026-01-01T00:00:00.000Z' }),
        422,
        'invalid_body',
      );
      expectProblem(await ask('POST', customers, { name: 'G', archived_at: null }), 422, 'invalid_body');
    });

    test('take If-Match, Idempotency-Key and batches, and are events that are undone', async () => {
      const { id } = await create(server, customers, { name: 'H' });
      const path = `${customers}/${id}/archive`;
      expectProblem(await ask('POST', path, undefined, { 'if-match': '"7"' }), 412, 'stale');
      const headers = { 'if-match': '"1"', 'idempotency-key': `archive-${engine.name}` };
      const first = await ask('POST', path, undefined, headers);
      const again = await ask('POST', path, undefined, headers);
      expect([first.status, first.headers.get('etag'), again.text]).toEqual([200, '"2"', first.text]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');

      const { body } = await batch(
        { method: 'POST', path: customers, body: { name: 'I' } },
        { method: 'POST', path: `${customers}/{result:0}/archive` },
        { method: 'POST', path: `${customers}/${id}/unarchive`, if_match: '"2"' },
      );
      expect(body).toMatchObject({
        results: [{ status: 201 }, { status: 200, body: { archived_at: expect.any(String) } }, { etag: '"3"' }],
      });

      const events = async (): Promise<{ number: number; operation: string; changes: object }[]> =>
        ((await ask('GET', `/api/events?record=${id}`)).body as { data: never }).data;
      await expect.poll(events).toHaveLength(3);
      const [, archiving, unarchiving] = await events();
      const change = [null, (first.body as Stored)['archived_at']];
      expect(archiving).toMatchObject({ operation: 'archive', changes: { archived_at: change } });
      expect(unarchiving).toMatchObject({ operation: 'unarchive', changes: { archived_at: change.toReversed() } });
      const undo = (number: number | undefined) => ask('POST', `/api/events/${number}/undo`);
      expect(storedIn(await undo(unarchiving?.number))['archived_at']).toBe(change[1]);
      expectProblem(await undo(unarchiving?.number), 409, 'changed_since');
      expectProblem(await undo((await events())[0]?.number), 409, 'changed_since');
      expect(storedIn(await undo(archiving?.number))['archived_at']).toBeNull();

      const [newest] = (await events()).toReversed();
      expect(newest).toMatchObject({ operation: 'update', changes: { archived_at: change.toReversed() } });
      const asked = async (...actions: string[]) => {
        const scopes = actions.flatMap((action) => ['--scope', `shop/customer:${action}`]);
        const env = { DATABASE_URL: server.database.url };
        const { stdout } = await runInProcess(service, env, 'keys', 'create', '--name', 'test', ...scopes);
        const authorization = `Bearer ${stdout.trim()}`;
        return ask('POST', `/api/events/${newest?.number}/undo`, undefined, { authorization });
      };
      expect(expectProblem(await asked('read', 'write'), 403, 'insufficient_scope').detail).toContain(
        'customer:transition',
      );
      expect(await retrieve(server, customers, id)).toMatchObject({ archived_at: null });
      expect(storedIn(await asked('read', 'write', 'transition'))['archived_at']).toBe(change[1]);
    });

    test('are named by references and keep their unique values; a delete that would change one is refused', async () => {
      const email = `${engine.name}@j.example`;
      const { id } = await create(server, customers, { name: 'J', email });
      const adviser = await create(server, customers, { name: 'K' });
      await archive(customers, id);
      expectProblem(await ask('POST', customers, { name: 'L', email }), 409, 'not_unique');
      const order = await create(server, orders, { customer_id: id, adviser_id: adviser.id });
      expect(await done('GET', `${orders}/${order.id}?expand=customer_id`)).toMatchObject({ customer: { id } });
      expect(await done('PATCH', `${orders}/${order.id}`, { customer_id: adviser.id })).toMatchObject({
        customer_id: adviser.id,
      });
      const owned = () => done('GET', `${customers}/${adviser.id}?expand=orders`);
      expect(await owned()).toMatchObject({ orders: { data: [{ id: order.id }], total: 1 } });
      const archived = await archive(orders, order.id);
      expect(await owned()).toMatchObject({ orders: { data: [], total: 0, has_more: false } });
      // It would delete the order, by one reference, and clear the other one.
      expectProblem(await ask('DELETE', `${customers}/${adviser.id}`), 409, 'locked');
      expect(await retrieve(server, orders, order.id)).toEqual(archived);
      await unarchive(orders, order.id);
      await done('PATCH', `${orders}/${order.id}`, { customer_id: null });
      await archive(orders, order.id);
      expectProblem(await ask('DELETE', `${customers}/${adviser.id}`), 409, 'locked');
      await unarchive(orders, order.id);
      expect(await done('DELETE', `${customers}/${adviser.id}`)).toMatchObject({ deleted: true });
      expect(await retrieve(server, orders, order.id)).toMatchObject({ adviser_id: null, archived_at: null });
    });
  });
}
