import { afterEach, expect, test } from 'vitest';

import { service } from '../service/generated/app.ts';
import { describeEngine, engines } from '../support/databases.ts';
import { expectProblem, expectRefused } from '../support/problem.ts';
import { create, listAll, pageIn, removeAll, retrieve, storedIn, update } from '../support/records.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

const charges = '/api/billing/charge';
const required = { label: 'Rent', amount: '0', paid: '0' };

const listed = async (server: TestServer, query: string): Promise<unknown[]> =>
  pageIn(await server.request('GET', `${charges}?${query}&sort=amount`)).data.map(({ amount }) => amount);

for (const engine of engines) {
  describeEngine(engine, 'decimals', () => {
    const server = sharedServer({ engine, tables: service.tables });
    afterEach(() => removeAll(server, charges));

    test('come out with exactly the scale of their field, whichever operation shows them', async () => {
      const made = await create(server, charges, { ...required, amount: '-0.5', share: '0.1', points: '-7' });
      expect(made).toMatchObject({ amount: '-0.50', share: '0.100000', points: '-7', tax: '19.00', paid: '0.00' });
      expect(await retrieve(server, charges, made.id)).toEqual(made);
      expect(await listAll(server, charges)).toEqual([made]);
      const { body } = await server.request('GET', `${charges}/${made.id}?fields=amount,share,points,tax`);
      const { id, amount, share, points, tax } = made;
      expect(body).toEqual({ id, amount, share, points, tax });

      const longest = { amount: '-9999999999999999.99', share: '0.999999', points: '999999999999999999', tax: null };
      const changed = await update(server, charges, made.id, longest);
      expect(changed).toMatchObject(longest);
      expect(await retrieve(server, charges, made.id)).toEqual(changed);
      // The same number is no change.
      const half = await update(server, charges, made.id, { share: '0.5' });
      expect(await update(server, charges, made.id, { share: '0.50' })).toEqual(half);
    });

    test('are not rounded, and no other spelling is taken', async () => {
      for (const [amount, code, message] of [
        ['1.005', 'invalid_decimal', 'must have at most 2 decimals'],
        ['1.000', 'invalid_decimal', 'must have at most 2 decimals'],
        ['12345678901234567', 'too_large', 'must have at most 16 digits before the point'],
        ...['+1', '-0', '-0.00', '012', '1.', '.5', '1e3', '1,5', ' 1', '', '1\n', 'NaN'].map((text) => [
          text,
          'invalid_decimal',
          'must be a decimal number in plain notation, like 12.50',
        ]),
        [12.5, 'wrong_type', 'must be a string, not a number'],
      ]) {
        const answer = await server.request('POST', charges, { ...required, amount });
        expect(expectProblem(answer, 422, 'invalid_body').errors).toEqual([{ pointer: '/amount', code, message }]);
      }
      const negative = await server.request('POST', charges, { ...required, tax: '-0.01' });
      expect(expectProblem(negative, 422, 'invalid_body').errors?.[0]?.message).toBe('must be at least 0.00');
      expectRefused(await server.request('POST', charges, { ...required, points: '1.0' }), '/points');
      expectRefused(await server.request('POST', charges, { ...required, share: '1' }), '/share');
    });

    test('are compared and sorted as numbers', async () => {
      const amounts = ['9', '10', '-2', '-10', '0', '0.5', '9999999999999999.98', '9999999999999999.99'];
      for (const amount of amounts) await create(server, charges, { ...required, amount });
      const sorted = ['-10.00', '-2.00', '0.00', '0.50', '9.00', '10.00', ...amounts.slice(-2)];
      expect(await listed(server, 'limit=20')).toEqual(sorted);
      expect(await listed(server, 'amount[gt]=9')).toEqual(sorted.slice(5));
      expect(await listed(server, 'amount[lte]=-2.00')).toEqual(sorted.slice(0, 2));
      expect(await listed(server, 'amount=9999999999999999.98')).toEqual([amounts[6]]);
      expect(await listed(server, 'amount[ne]=0.5')).toEqual(sorted.filter((one) => one !== '0.50'));
      expect(await listed(server, 'amount[in]=10,0.5,9.0')).toEqual(['0.50', '9.00', '10.00']);
      expect(await listed(server, 'amount[in]=9999999999999999.99&share[null]=true')).toEqual([amounts[7]]);
      for (const [query, rule] of [
        ['amount[gt]=1.005', 'must have at most 2 decimals'],
        ['amount=x', 'must be a decimal number in plain notation, like 12.50'],
        ['amount[in]=1,1e2', 'has the value "1e2", which must be a decimal number in plain notation, like 12.50'],
        ['amount[prefix]=1', 'has an unknown form'],
      ] as const) {
        const answer = await server.request('GET', `${charges}?${query}`);
        expect(expectProblem(answer, 400, 'invalid_query').detail).toContain(rule);
      }
      // No limit of the field applies to a filter, as older records may have other values.
      expect(await listed(server, 'tax[lt]=-1&tax[gt]=-123456')).toEqual([]);
    });

    test('a record from before a required decimal shows its backfill', async () => {
      const { id } = await create(server, charges, { ...required, paid: '3' });
      await create(server, charges, { ...required, paid: '0.01' });
      await server.database.execute(`update "charge" set "paid" = null where "id" = '${id}'`);
      expect(await retrieve(server, charges, id)).toMatchObject({ paid: '0.00' });
      const found = pageIn(await server.request('GET', `${charges}?paid=0.0&sort=amount`));
      expect(found.data).toMatchObject([{ id, paid: '0.00' }]);
    });

    test('settings, line items and batches have them', async () => {
      const settings = '/api/billing/billing-settings';
      const stored = storedIn(await server.request('GET', settings));
      expect(stored).toMatchObject({ discount: '0.050', threshold: null });
      const changed = storedIn(
        await server.request('PATCH', `${settings}/${stored.id}`, { ...stored, threshold: '1' }),
      );
      expect(changed).toMatchObject({ discount: '0.050', threshold: '1.00' });

      const operations = [
        { method: 'POST', path: charges, body: { ...required, amount: '12.5' } },
        ...['2', '-0.0001', undefined].map((price) => ({
          method: 'POST',
          path: '/api/billing/charge-part',
          body: { charge_id: { result: 0 }, price },
        })),
      ];
      const { body } = await server.request('POST', '/api/batch', { operations });
      const [made, ...parts] = (body as { results: { body: { id: string } }[] }).results.map((one) => one.body);
      expect([made, ...parts]).toMatchObject([
        { amount: '12.50' },
        { price: '2.0000' },
        { price: '-0.0001' },
        { price: '-1.5000' },
      ]);
      const query = `parent_id=${made?.id}&sort=price&price[gt]=-1.5`;
      const found = pageIn(await server.request('GET', `/api/billing/charge-part?${query}`));
      expect(found.data.map(({ price }) => price)).toEqual(['-0.0001', '2.0000']);
      const expanded = await server.request('GET', `${charges}?expand=charge-part&fields=amount`);
      expect(pageIn(expanded).data).toMatchObject([{ amount: '12.50', charge_part: { data: parts, total: 3 } }]);
    });
  });
}
