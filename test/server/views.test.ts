import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { service } from '../service/generated/app.ts';
import { orderTable } from '../service/generated/sales/order.schema.ts';
import { describeEngine, engines, type TestDatabase } from '../support/databases.ts';
import { expectProblem, wordsOf } from '../support/problem.ts';
import { create, pageIn, type Stored, storedIn } from '../support/records.ts';
import { startServer, type TestServer } from '../support/server.ts';

const orders = '/api/sales/order';
const lines = '/api/sales/order-line';
const settings = '/api/workshop/booking-settings';
const slots = '/api/workshop/booking-slot';

const names = orderTable.columns.map(({ name }) => name);
const body = { ordered_on: '2024-02-29', company: 'Zoë "&" 🙂', currency: 'EUR', total: 1.5 };

for (const engine of engines) {
  describeEngine(engine, 'fields and expand', () => {
    let database: TestDatabase;
    let server: TestServer;
    const created: Stored[] = [];

    beforeAll(async () => {
      database = await engine.create(service.tables);
      server = await startServer({ env: { DATABASE_URL: database.url } });
      for (const count of [0, 1, 3]) {
        const order = await create(server, orders, body);
        created.unshift(order);
        for (let n = 0; n < count; n++) await create(server, lines, { order_id: order.id, article: `${n}` });
      }
    });
    afterAll(async () => {
      await server?.close();
      await database?.[Symbol.asyncDispose]();
    });

    const get = async (path: string): Promise<unknown> => {
      const answer = await server.request('GET', path);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json');
      return answer.body;
    };
    const pick = (record: Stored, fields: readonly string[]): Stored =>
      Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name))) as Stored;
    const linesOf = async ({ id }: Stored): Promise<unknown> => get(`${lines}?parent_id=${id}&limit=100`);

    test('fields: only these, in the order of the record, and its id', async () => {
      for (const fields of [['company'], ['total', 'company'], ['id'], names, ['company', 'company', 'id']]) {
        const query = `fields=${fields.join()}`;
        const wanted = created.map((one) => pick(one, ['id', ...fields]));
        const page = pageIn(await server.request('GET', `${orders}?${query}`));
        expect(page).toEqual({ data: wanted, has_more: false, total: 3 });
        expect(page.data.map((one) => Object.keys(one))).toEqual(wanted.map((one) => Object.keys(one)));
        expect(await get(`${orders}/${created[0]!.id}?${query}`)).toEqual(wanted[0]);
      }
      expect(await get(`${orders}?fields=id&limit=1&after=${created[0]!.id}`)).toEqual({
        data: [{ id: created[1]!.id }],
        has_more: true,
        total: 3,
      });
      expect(await get(`${lines}?fields=article&parent_id=${created[1]!.id}`)).toMatchObject({
        data: [{ id: expect.stringMatching(/^order_line_/), article: '0' }],
        total: 1,
      });
    });

    test('expand: the line items of each record, also of those without any', async () => {
      const expanded = await Promise.all(created.map(async (one) => ({ ...one, order_line: await linesOf(one) })));
      expect(expanded.map(({ order_line }) => (order_line as { total: number }).total)).toEqual([3, 1, 0]);
      const page = { data: expanded, has_more: false, total: 3 };
      expect(await get(`${orders}?expand=order-line`)).toEqual(page);
      for (const one of expanded) {
        expect(await get(`${orders}/${one.id}?expand=order-line`)).toEqual(one);
        const { id, order_line } = one;
        expect(await get(`${orders}/${id}?fields=id&expand=order-line`)).toEqual({ id, order_line });
        const repeated = 'fields=id&fields=id&expand=order-line&expand=order-line';
        expect(await get(`${orders}/${id}?${repeated}`)).toEqual({ id, order_line });
      }
      expect(await get(`${orders}?fields=id&expand=order-line&limit=1&offset=1`)).toEqual({
        data: [{ id: expanded[1]!.id, order_line: expanded[1]!.order_line }],
        has_more: true,
        total: 3,
      });
    });

    test('of settings', async () => {
      const whole = storedIn(await server.request('GET', settings));
      const { id, visit_minutes } = whole;
      for (const day_of_week of ['monday', 'friday']) {
        await create(server, slots, { booking_settings_id: id, day_of_week, from_time: '08:00', to_time: '09:00' });
      }
      const booking_slot = await get(`${slots}?parent_id=${id}`);
      expect(await get(`${settings}?fields=visit_minutes`)).toEqual({ id, visit_minutes });
      expect(await get(`${settings}?expand=booking-slot`)).toEqual({ ...whole, booking_slot });
      expect(await get(`${settings}?expand=booking-slot&fields=id`)).toEqual({ id, booking_slot });
    });

    test('what is written is answered as ever, whatever was shown before', async () => {
      const [first] = created as [Stored];
      await get(`${orders}/${first.id}?fields=id`);
      await get(`${orders}/${first.id}?fields=id`);
      expect(await get(`${orders}/${first.id}`)).toEqual(first);
      const changed = storedIn(await server.request('PATCH', `${orders}/${first.id}`, { notes: 'new' }));
      expect(await get(`${orders}/${first.id}?fields=notes`)).toEqual({ id: first.id, notes: 'new' });
      created[0] = changed;
    });

    test('HEAD answers as GET without the body', async () => {
      const one = `${orders}/${created[0]!.id}?expand=order-line`;
      for (const path of [one, `${orders}?fields=id&expand=order-line`, `${settings}?fields=id`]) {
        const [whole, head] = [await server.request('GET', path), await server.request('HEAD', path)];
        expect([head.status, head.text]).toEqual([200, '']);
        expect(head.headers.get('content-type')).toBe(whole.headers.get('content-type'));
      }
    });

    test('an unknown record is not found', async () => {
      for (const query of ['fields=id', 'expand=order-line', 'fields=company&expand=order-line']) {
        for (const id of ['x', '%00', `order_${'0'.repeat(26)}`, created[0]!.id.toLowerCase()]) {
          expectProblem(await server.request('GET', `${orders}/${id}?${query}`), 404, 'not_found');
        }
        expect((await server.request('HEAD', `${orders}/x?${query}`)).status).toBe(404);
      }
    });

    describe.each([orders, `${orders}/x`, settings, `${lines}?parent_id=x`])('%s refuses', (path) => {
      const known =
        path === settings ? '"id", "number_of_bays"' : path.startsWith(lines) ? '"id", "idx"' : '"id", "status"';
      const ask = async (query: string): Promise<string> => {
        const answer = await server.request('GET', path + (path.includes('?') ? '&' : '?') + query);
        return wordsOf(expectProblem(answer, 400, 'invalid_query'));
      };

      test.each([
        ['fields=', 'names nothing. Known are'],
        ['fields', 'names nothing. Known are'],
        ['fields=,', 'names "", which is unknown'],
        ['fields=id,', 'names "", which is unknown'],
        ['fields=nonsense', 'names "nonsense", which is unknown. Known are'],
        ['fields=order_line', 'names "order_line", which is unknown'],
        ['fields=%FF', 'is not UTF-8 in percent-encoding'],
        ['field=id', 'is unknown; did you mean "fields"?'],
        ['fields[]=id', 'is unknown'],
      ])('%s', async (query, words) => {
        const answer = await ask(query);
        expect(answer).toContain(words);
        if (words.endsWith('Known are')) expect(answer).toContain(known);
      });

      const item = path === settings ? 'booking-slot' : 'order-line';
      test('expand of what it cannot show', async () => {
        if (path.startsWith(lines)) {
          expect(await ask('expand=order-line')).toContain('The query parameter "expand" is unknown');
          return;
        }
        expect(await ask('fields=creatd_at')).toContain(
          'names "creatd_at", which is unknown; did you mean "created_at"?',
        );
        expect(await ask('expand=')).toContain(`"expand" names nothing. Known are "${item}".`);
        expect(await ask('expand=nonsense')).toContain(`names "nonsense", which is unknown. Known are "${item}".`);
        expect(await ask(`expand=${item.replace('-', '_')}`)).toContain(`did you mean "${item}"?`);
        expect(await ask(`expand=${item},`)).toContain('names "", which is unknown');
        expect(await ask(`expand=x&fields=y`)).toMatch(/"fields" names "y".*"expand" names "x"/);
      });
    });

    test('other operations take neither', async () => {
      const { id } = created[0]!;
      for (const [method, path, sent] of [
        ['POST', orders, body],
        ['PATCH', `${orders}/${id}`, { notes: 'changed' }],
        ['POST', `${orders}/${id}/submit`, undefined],
        ['DELETE', `${orders}/${id}`, undefined],
      ] as const) {
        const answer = await server.request(method, `${path}?fields=id`, sent);
        expect(wordsOf(expectProblem(answer, 400, 'invalid_query'))).toContain('"fields" is unknown');
      }
      expect(await get(`${orders}/${id}`)).toEqual(created[0]);
    });
  });
}
