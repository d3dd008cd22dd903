import { expect, test } from 'vitest';

import { service } from '../service/generated/app.ts';
import { describeEngine, engines } from '../support/databases.ts';
import { expectProblem, expectRefused } from '../support/problem.ts';
import { create, pageIn, retrieve, type Stored } from '../support/records.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

const machines = '/api/assets/machine';
const required = { model: 'X-100', location: null, power: 'mains', is_leased: false };

let made = 0;

const createMachine = (server: TestServer, fields: object = {}): Promise<Stored> =>
  create(server, machines, { serial_number: `AB-${String(++made).padStart(6, '0')}`, ...required, ...fields });

const idsOf = async (server: TestServer, query: string): Promise<string[]> =>
  pageIn(await server.request('GET', `${machines}?${query}`)).data.map(({ id }) => id);

for (const engine of engines) {
  describeEngine(engine, 'over HTTP', () => {
    const server = sharedServer({ engine, tables: service.tables });

    test('a date-time is stored in UTC, and found and sorted as an instant', async () => {
      const late = await createMachine(server, { serviced_at: '2026-03-01T00:30:00-05:00' });
      const early = await createMachine(server, { serviced_at: '2026-03-01t09:00:00.1239999+05:00' });
      expect([late['serviced_at'], early['serviced_at']]).toEqual([
        '2026-03-01T05:30:00.000Z',
        '2026-03-01T04:00:00.123Z',
      ]);
      expect(await retrieve(server, machines, late.id)).toEqual(late);
      expect(await idsOf(server, 'sort=serviced_at')).toEqual([early.id, late.id]);
      expect(await idsOf(server, 'serviced_at[gt]=2026-03-01T05:00:00Z')).toEqual([late.id]);
      expect(await idsOf(server, 'serviced_at=2026-02-28T23:00:00.123-05:00')).toEqual([early.id]);
      expect(await idsOf(server, 'serviced_at[in]=2026-03-01T05:30:00Z,2026-03-01T04:00:00.123Z')).toHaveLength(2);

      // The same instant is no change.
      const same = { serviced_at: '2026-03-01T06:30:00+01:00' };
      expect((await server.request('PATCH', `${machines}/${late.id}`, same)).body).toEqual(late);
      for (const written of ['2026-12-31T23:59:60Z', '0000-01-01T00:00:00+01:00', '2026-12-31T23:59:59']) {
        expectRefused(
          await server.request('PATCH', `${machines}/${late.id}`, { serviced_at: written }),
          '/serviced_at',
        );
      }
    });

    test('a list that is repeated takes each value as it is, as clients send it that escape nothing', async () => {
      const contacts = '/api/crm/contact';
      const values = ['Tools, small', String.raw`C:\drive`, String.raw`a\,b`, '', 'plain'];
      for (const company of values) await create(server, contacts, { full_name: 'Ann', company });
      const found = async (pairs: string[][]): Promise<unknown[]> =>
        pageIn(await server.request('GET', `${contacts}?${new URLSearchParams(pairs)}`)).data.map(
          (one) => one['company'],
        );
      const pairs = values.map((value) => ['company[in]', value]);
      expect(await found(pairs)).toEqual(values.toReversed());
      expect(await found([...pairs.slice(0, 2), ['sort', 'full_name'], ['sort', 'id']])).toEqual(values.slice(0, 2));
      // A single value has commas between its items.
      expect(await found([['company[in]', String.raw`Tools\, small,plain`]])).toEqual(['plain', 'Tools, small']);
    });

    test('values of older rows are found, although the field refuses them now', async () => {
      const earlier = await idsOf(server, '');
      const { id } = await createMachine(server);
      const other = await createMachine(server);
      const older = `"condition" = 'retired', "serial_number" = 'none', "support_email" = 'nowhere', "hours" = -7`;
      await server.database.execute(`update "machine" set ${older} where "id" = '${id}'`);
      for (const query of ['condition=retired', 'serial_number=none', 'support_email=nowhere', 'hours=-7']) {
        expect(await idsOf(server, query), query).toEqual([id]);
      }
      expect(await idsOf(server, 'condition[in]=retired&condition[in]=new')).toEqual([other.id, id, ...earlier]);
      expect(await idsOf(server, 'condition[in]=retired,gone&fields=id&fields=condition&sort=hours')).toEqual([id]);
      for (const [query, detail] of [
        ['hours=many', 'The query parameter "hours" must be an integer, in decimal digits.'],
        ['built_on=2026-02-30', 'The query parameter "built_on" must be a real date, written YYYY-MM-DD.'],
        ['condition=new&condition=used', 'The query parameter "condition" is given more than once.'],
      ]) {
        expect(expectProblem(await server.request('GET', `${machines}?${query}`), 400, 'invalid_query').detail).toBe(
          detail,
        );
      }
    });
  });
}
