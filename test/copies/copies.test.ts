import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { Service } from '../../runtime/index.ts';
import { citus, describeEngine, engines } from '../support/databases.ts';
import { createKey } from '../../runtime/features/keys/administration.ts';
import { administer, organizationOf } from '../organizations/administer.ts';
import { runFile } from '../support/commands.ts';
import { expectProblem } from '../support/problem.ts';
import { generateProject } from '../support/project.ts';
import { create, retrieve, type Stored, storedIn } from '../support/records.ts';
import { sharedServer } from '../support/server.ts';
import { envOf, Files } from '../transfer/run.ts';
import { rental } from './rental.ts';

const project = await generateProject(rental);
const { service } = (await import(join(project, 'generated/app.ts'))) as { service: Service };
const [customers, orders, lines, invoices, settings] = (
  ['crm/customer', 'rental/order', 'rental/order-line', 'rental/invoice', 'setup/rental-settings'] as const
).map((path) => `/api/${path}`) as [string, string, string, string, string];

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'fields that a create copies', () => {
    const server = sharedServer({ project, engine, tables: service.tables });
    const ask = (method: string, path: string, body?: object) => server.request(method, path, body);
    const batch = (...operations: (readonly [path: string, body: object, method?: string])[]) =>
      ask('POST', '/api/batch', {
        operations: operations.map(([path, body, method = 'POST']) => ({ method, path, body })),
      });
    const resultsOf = async (answer: ReturnType<typeof batch>): Promise<readonly Stored[]> => {
      const { status, body, text } = await answer;
      expect(status, text).toBe(200);
      return (body as { results: readonly { body: Stored }[] }).results.map((result) => result.body);
    };
    const set = async (values: object): Promise<Stored> => {
      const { id } = storedIn(await ask('GET', settings));
      return storedIn(await ask('PATCH', `${settings}/${id}`, values));
    };
    const customer = async (values: object = {}): Promise<string> =>
      (await create(server, customers, { name: 'C', currency: 'USD', tags: ['a', 'b'], ...values })).id;

    test('are those of the record that a reference names, and of settings', async () => {
      await set({ tax_rate: '0.19', terms: 'Thirty days' });
      const agent = 'Ann';
      const customer_id = await customer({ agent, is_exempt: true });
      const order = await create(server, orders, { customer_id });
      const copies = { currency: 'USD', tags: ['a', 'b'], agent, is_exempt: true, tax_rate: '0.190' };
      expect(order).toMatchObject({ ...copies, percent: '19.0', terms: 'Thirty days' });
      expect(await retrieve(server, orders, order.id)).toEqual(order);
      const { body } = await ask('GET', `${orders}?q=thirty&currency=USD`);
      expect((body as { data: Stored[] }).data).toContainEqual(order);
      const { body: events } = await ask('GET', `/api/events?record=${order.id}`);
      expect((events as { data: object[] }).data).toMatchObject([
        { changes: { currency: [null, 'USD'], tags: [null, ['a', 'b']], tax_rate: [null, '0.190'] } },
      ]);
      // The copy stays.
      await ask('PATCH', `${customers}/${customer_id}`, { currency: 'EUR' });
      await set({ tax_rate: '0.07' });
      expect(await retrieve(server, orders, order.id)).toEqual(order);
      const line = await create(server, lines, { order_id: order.id, amount: '2' });
      expect(line).toMatchObject({ tax_rate: '0.070', idx: 1 });
      expect(await create(server, invoices, { order_id: order.id })).toMatchObject({ amount: '2.00' });
    });

    test('are objects as they were sent', async () => {
      const layout = '{"2":[1.0,12345678901234567890],"1":null}';
      const made = await server.request('POST', customers, `{"name":"L","currency":"EUR","layout":${layout}}`);
      const { text } = await ask('POST', orders, { customer_id: storedIn(made, 201).id });
      expect(text).toContain(`"layout":${layout}`);
    });

    test('are what the body says if it does, also null', async () => {
      const customer_id = await customer();
      const sent = { currency: 'CHF', tags: null, tax_rate: '1.5', is_exempt: false, agent: null };
      const order = await create(server, orders, { customer_id, ...sent });
      expect(order).toMatchObject({ ...sent, tax_rate: '1.500' });
      for (const [body, pointer, code] of [
        [{ customer_id, currency: null }, '/currency', 'null_not_allowed'],
        [{ customer_id, revision: 1 }, '/revision', 'read_only'],
      ] as const) {
        const { errors } = expectProblem(await ask('POST', orders, body), 422, 'invalid_body');
        expect(errors).toMatchObject([{ pointer, code }]);
      }
    });

    test('are null if there is nothing to copy; a required one is refused then, alone and in a batch', async () => {
      const poor = await customer({ currency: null, tags: null });
      for (const body of [{}, { customer_id: null }, { customer_id: poor }]) {
        const { errors } = expectProblem(await ask('POST', orders, body), 422, 'invalid_body');
        expect(errors).toEqual([
          {
            pointer: '/currency',
            code: 'missing',
            message: 'is required, as there is no value to copy from another record',
          },
        ]);
        const problem = expectProblem(await batch([customers, { name: 'B' }], [orders, body]), 422, 'invalid_body');
        expect(problem).toMatchObject({ operation: 1, errors: [{ pointer: '/operations/1/body/currency' }] });
        expect(await create(server, orders, { ...body, currency: 'EUR' })).toMatchObject({
          tags: null,
          agent: null,
        });
      }
      await set({ tax_rate: null });
      const { id } = await create(server, orders, { currency: 'EUR' });
      expect(await retrieve(server, orders, id)).toMatchObject({ tax_rate: null, percent: null });
      const line = await ask('POST', lines, { order_id: id, amount: '1' });
      expect(expectProblem(line, 422, 'invalid_body').errors).toMatchObject([{ pointer: '/tax_rate' }]);
      await set({ tax_rate: '0.19' });
    });

    test('come behind the reference, and before rules, unique values and sizes', async () => {
      const missing = await ask('POST', orders, { customer_id: 'customer_0' });
      expect(expectProblem(missing, 409, 'reference_missing').errors).toMatchObject([{ pointer: '/customer_id' }]);
      const pounds = await customer({ currency: 'GBP' });
      const broken = expectProblem(await ask('POST', orders, { customer_id: pounds }), 422, 'rule_violated');
      expect(broken.errors).toMatchObject([{ pointer: '/agent' }]);
      const agent = 'Bob';
      await ask('PATCH', `${customers}/${pounds}`, { agent });
      await create(server, orders, { customer_id: pounds, number: 7 });
      expectProblem(await ask('POST', orders, { customer_id: pounds, number: 7 }), 409, 'not_unique');
      expectProblem(
        await batch([orders, { customer_id: pounds, number: 8 }], [orders, { currency: 'GBP', agent, number: 8 }]),
        409,
        'not_unique',
      );
      await create(server, orders, { customer_id: await customer(), number: 7 });
      await set({ notes: '"'.repeat(520_000) });
      const long = await ask('POST', orders, { currency: 'EUR', terms: 'x'.repeat(20_000) });
      await set({ notes: null });
      expectProblem(long, 413, 'record_too_large');
    });

    test('are as earlier operations of a batch leave them, totals too', async () => {
      const { id } = storedIn(await ask('GET', settings));
      const body = { customer_id: { result: 1 } };
      const [, , order, , , invoice, , later] = await resultsOf(
        batch(
          [`${settings}/${id}`, { tax_rate: '0.05' }, 'PATCH'],
          [customers, { name: 'D', currency: 'EUR' }],
          [orders, body],
          [lines, { order_id: { result: 2 }, amount: '3' }],
          [lines, { order_id: { result: 2 }, amount: '4' }],
          [invoices, { order_id: { result: 2 } }],
          [`${settings}/${id}`, { tax_rate: '0.19' }, 'PATCH'],
          [orders, body],
        ),
      );
      expect([order, later]).toMatchObject([
        { currency: 'EUR', tax_rate: '0.050' },
        { currency: 'EUR', tax_rate: '0.190' },
      ]);
      expect(invoice).toMatchObject({ amount: '7.00' });
      expect(await retrieve(server, orders, order!.id)).toMatchObject({ net: '7.00' });
    });

    test('are those of the organization', async () => {
      await organizationOf(server.database, service.tables, 'other');
      const options = { organization: 'other', name: 'test', scopes: '*', rate: 'off', lifetime: null };
      const { key } = await administer(server.database, (connection) => createKey(connection, options));
      const headers = { authorization: `Bearer ${key}` };
      const askOther = (method: string, path: string, body?: object) => server.request(method, path, body, headers);
      const { id } = storedIn(await askOther('GET', settings));
      storedIn(await askOther('PATCH', `${settings}/${id}`, { tax_rate: '0.21' }));
      const [own, other] = [
        await create(server, orders, { currency: 'EUR' }),
        storedIn(await askOther('POST', orders, { currency: 'EUR' }), 201),
      ];
      expect([own['tax_rate'], other['tax_rate']]).toEqual(['0.190', '0.210']);
      const foreign = await askOther('POST', orders, { customer_id: await customer() });
      expectProblem(foreign, 409, 'reference_missing');
    });

    test('are copied by an import whose file has no column for them', async () => {
      const customer_id = await customer();
      using files = new Files();
      const file = files.write('orders.csv', `customer_id,number\n${customer_id},41\n${customer_id},42\n`);
      const program = join(project, 'generated/server.ts');
      const done = await runFile(program, files.folder, ['import', 'rental/order', file], envOf(server));
      expect(done).toMatchObject({ code: 0 });
      const { body } = await ask('GET', `${orders}?currency=USD&sort=created_at`);
      const made = (body as { data: Stored[] }).data.filter((order) => order['customer_id'] === customer_id);
      expect(made.map(({ currency, tags }) => [currency, tags])).toEqual([
        ['USD', ['a', 'b']],
        ['USD', ['a', 'b']],
      ]);
    });

    test('are restored by an undo as they were', async () => {
      const customer_id = await customer();
      const order = await create(server, orders, { customer_id });
      await ask('PATCH', `${customers}/${customer_id}`, { currency: 'EUR' });
      await ask('DELETE', `${orders}/${order.id}`);
      const { body } = await ask('GET', `/api/events?record=${order.id}&operation=delete`);
      const [event] = (body as { data: { number: number }[] }).data;
      const restored = storedIn(await ask('POST', `/api/events/${event!.number}/undo`));
      expect(restored).toMatchObject({ currency: 'USD', tags: ['a', 'b'], created_at: order['created_at'] });
    });

    test('are one value or the other while settings change and customers are deleted', async () => {
      const kept = await customer();
      const changes = async (): Promise<void> => {
        for (let n = 1; n <= 20; n++) await set({ revision: n, tax_rate: `0.${String(n).padStart(3, '0')}` });
      };
      const creates = async (): Promise<Stored[]> => {
        const made: Stored[] = [];
        for (let n = 0; n < 20; n++) made.push(await create(server, orders, { customer_id: kept }));
        return made;
      };
      await set({ revision: 0, tax_rate: '0.000' });
      const [, ...made] = await Promise.all([changes(), creates(), creates()]);
      for (const { revision, tax_rate: rate } of made.flat()) expect(Number(rate) * 1000).toBeCloseTo(Number(revision));
      for (const own of made) {
        const revisions = own.map(({ revision }) => Number(revision));
        expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
      }
      const gone = await Promise.all(Array.from({ length: 10 }, () => customer({ agent: 'Ann' })));
      const answers = await Promise.all(
        gone.flatMap((id) => [
          ask('POST', orders, { customer_id: id }),
          ask('PATCH', `${customers}/${id}`, { agent: null }),
          ask('DELETE', `${customers}/${id}`),
        ]),
      );
      const statuses = answers
        .filter((_, i) => i % 3 === 0)
        .map(({ status, body }) => [status, (body as Stored)['code']]);
      for (const [status, code] of statuses)
        expect([status, code]).toEqual(status === 201 ? [201, undefined] : [409, 'reference_missing']);
      await set({ revision: 0, tax_rate: '0.19' });
    });
  });
}
