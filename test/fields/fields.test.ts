import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Table } from '../../runtime/kernel/model/table.ts';
import { service } from '../service/generated/app.ts';
import * as generated from '../service/generated/tables.ts';
import { citus, describeEngine, engines, expectExactTotals, type TestDatabase } from '../support/databases.ts';
import { expectProblem } from '../support/problem.ts';
import { type Answer, startServer, type TestServer } from '../support/server.ts';

const permits = '/api/inspection/permit';
const checks = '/api/inspection/permit-check';
const settings = '/api/inspection/authority';

/** The fields that a body was refused for, with their codes. */
const refusedFor = (answer: Answer): Record<string, string> =>
  Object.fromEntries(
    (expectProblem(answer, 422, 'invalid_body').errors ?? []).map(({ pointer, code }) => [pointer.slice(1), code]),
  );

const tables = Object.values<Table>(generated);

type Stored = Readonly<Record<string, unknown>> & { readonly id: string };

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'rules of fields', () => {
    let database: TestDatabase;
    let server: TestServer;

    beforeAll(async () => {
      database = await engine.create(service.tables);
      await database.prepare?.(tables);
      server = await startServer({ env: { DATABASE_URL: database.serverUrl ?? database.url } });
    });
    afterAll(async () => {
      await server?.close();
      await database?.[Symbol.asyncDispose]();
    });

    async function sent(method: string, path: string, body: object, status: number): Promise<Stored> {
      const answer = await server.request(method, path, body);
      expect(answer.status, answer.text).toBe(status);
      return answer.body as Stored;
    }

    const created = (path: string, body: object): Promise<Stored> => sent('POST', path, body, 201);

    describe('a field that is never null', () => {
      const defaults = { stage: 'open', visits: 1, is_urgent: false };

      test('takes its default where a create leaves it out', async () => {
        expect(await created(permits, { site: 'A' })).toMatchObject(defaults);
        const given = { stage: 'granted', visits: 0, is_urgent: true };
        expect(await created(permits, { site: 'A', ...given })).toMatchObject(given);
      });

      test('refuses null in creates and updates', async () => {
        const nulls = { stage: null, visits: null, is_urgent: null };
        const errors = { stage: 'null_not_allowed', visits: 'null_not_allowed', is_urgent: 'null_not_allowed' };
        expect(refusedFor(await server.request('POST', permits, { site: 'A', ...nulls }))).toEqual(errors);
        const { id } = await created(permits, { site: 'A' });
        expect(refusedFor(await server.request('PATCH', `${permits}/${id}`, nulls))).toEqual(errors);
      });

      test('shows its default where an older row holds null, in records and lists', async () => {
        const { id } = await created(permits, { site: 'Older' });
        await database.execute(`update permit set stage = null, visits = null, is_urgent = null where id = '${id}'`);
        await server.restart();
        expect((await server.request('GET', `${permits}/${id}`)).body).toMatchObject({ id, ...defaults });
        const found = await server.request('GET', `${permits}?site=Older&stage=open&visits[lte]=1&sort=-stage`);
        expect(found.body).toMatchObject({ total: 1, data: [{ id, ...defaults }] });
        expect((await server.request('GET', `${permits}?site=Older&stage[null]=true`)).body).toMatchObject({
          total: 0,
        });
        expect(await sent('PATCH', `${permits}/${id}`, { visits: 2 }, 200)).toMatchObject({ ...defaults, visits: 2 });
      });
    });

    describe('an immutable field', () => {
      test('is set by a create, also by its default, and then accepted only as it is', async () => {
        const permit = await created(permits, { site: 'A' });
        expect(permit).toMatchObject({ site: 'A', fee: 10 });
        const path = `${permits}/${permit.id}`;
        expect(await sent('PATCH', path, permit, 200)).toEqual(permit);
        const changed = { site: 'B', fee: null, remarks: 'changed' };
        expect(refusedFor(await server.request('PATCH', path, changed))).toEqual({
          site: 'immutable',
          fee: 'immutable',
        });
        expect((await server.request('GET', path)).body).toEqual(permit);
        expect(await sent('PATCH', path, { site: 'A', remarks: 'x' }, 200)).toMatchObject({ site: 'A', remarks: 'x' });
      });

      test('is named beside the other errors of a body', async () => {
        const { id } = await created(permits, { site: 'A' });
        const path = `${permits}/${id}`;
        const wrong = { site: 'B', created_at: id, stage: 'nowhere' };
        expect(refusedFor(await server.request('PATCH', path, wrong))).toEqual({
          site: 'immutable',
          created_at: 'read_only',
          stage: 'not_in_enum',
        });
        expect(refusedFor(await server.request('PATCH', path, { site: 'A', stage: 'nowhere' }))).toEqual({
          stage: 'not_in_enum',
        });
        expect(refusedFor(await server.request('PATCH', `${permits}/permit_0`, wrong))).toEqual({
          stage: 'not_in_enum',
        });
        const operations = [
          { method: 'POST', path: permits, body: { site: 'C' } },
          { method: 'PATCH', path, body: wrong },
        ];
        expect(refusedFor(await server.request('POST', '/api/batch', { operations }))).toEqual({
          'operations/1/body/site': 'immutable',
          'operations/1/body/created_at': 'read_only',
          'operations/1/body/stage': 'not_in_enum',
        });
      });

      test('may be sent as it is shown beside other errors, though it is stored in an older form', async () => {
        const { id } = await created(permits, { site: 'A' });
        const path = `${permits}/${id}`;
        const requested_at = '2026-01-01T01:00:00+01:00';
        await database.execute(`update permit set requested_at = '${requested_at}' where id = '${id}'`);
        await server.restart();
        const wrong = { requested_at, stage: 'nowhere' };
        expect(refusedFor(await server.request('PATCH', path, wrong))).toEqual({ stage: 'not_in_enum' });
        expect(
          refusedFor(await server.request('PATCH', path, { ...wrong, requested_at: '2026-01-01T00:00:01Z' })),
        ).toEqual({ requested_at: 'immutable', stage: 'not_in_enum' });
      });

      test('is told from one that the service sets', async () => {
        const { id } = await created(permits, { site: 'A' });
        const answer = await server.request('PATCH', `${permits}/${id}`, { site: 'B', created_at: id });
        expect(refusedFor(answer)).toEqual({ site: 'immutable', created_at: 'read_only' });
      });

      test('keeps a line item with its parent', async () => {
        const [first, second] = [await created(permits, { site: 'A' }), await created(permits, { site: 'B' })];
        const check = await created(checks, { permit_id: first.id, subject: 'Exits' });
        const path = `${checks}/${check.id}`;
        expect(refusedFor(await server.request('PATCH', path, { permit_id: second.id }))).toEqual({
          permit_id: 'immutable',
        });
        expect(refusedFor(await server.request('PATCH', path, { permit_id: 'nowhere' }))).toEqual({
          permit_id: 'immutable',
        });
        expect(await sent('PATCH', path, { permit_id: first.id, subject: 'Lamps' }, 200)).toMatchObject({
          permit_id: first.id,
          subject: 'Lamps',
        });
        await expectExactTotals(database, tables);
      });
    });

    describe('a field that is set once', () => {
      test('is set by a create, or later; then it stays', async () => {
        const given = await created(permits, { site: 'A', granted_on: '2026-01-31' });
        const later = await created(permits, { site: 'A' });
        expect(later['granted_on']).toBeNull();
        const path = `${permits}/${later.id}`;
        expect(await sent('PATCH', path, { granted_on: null }, 200)).toEqual(later);
        expect(await sent('PATCH', path, { granted_on: '2026-02-01' }, 200)).toMatchObject({
          granted_on: '2026-02-01',
        });
        for (const other of ['2026-02-02', null]) {
          expect(refusedFor(await server.request('PATCH', path, { granted_on: other }))).toEqual({
            granted_on: 'immutable',
          });
          const body = { granted_on: other };
          expect(refusedFor(await server.request('PATCH', `${permits}/${given.id}`, body))).toEqual({
            granted_on: 'immutable',
          });
        }
        expect(await sent('PATCH', path, { granted_on: '2026-02-01', visits: 3 }, 200)).toMatchObject({ visits: 3 });
      });

      test('of a singleton is null until it is set', async () => {
        const only = (await server.request('GET', settings)).body as Stored;
        expect(only).toMatchObject({ office: null, country: 'NL', started_on: null });
        const path = `${settings}/${only.id}`;
        const set = await sent('PATCH', path, { office: 'City', started_on: '2026-01-01' }, 200);
        expect(set).toMatchObject({ office: 'City', country: 'NL', started_on: '2026-01-01' });
        const changed = { office: 'State', started_on: null, country: null };
        expect(refusedFor(await server.request('PATCH', path, changed))).toEqual({
          office: 'immutable',
          started_on: 'immutable',
          country: 'null_not_allowed',
        });
        const { country: _, ...allowed } = changed;
        expect(refusedFor(await server.request('PATCH', path, allowed))).toEqual({
          office: 'immutable',
          started_on: 'immutable',
        });
        expect((await server.request('GET', settings)).body).toEqual(set);
      });

      test('has one winner of racing updates', async () => {
        const { id } = await created(permits, { site: 'A' });
        const days = Array.from({ length: 28 }, (_, day) => `2026-02-${String(day + 1).padStart(2, '0')}`);
        const answers = await Promise.all(
          days.map((day) => server.request('PATCH', `${permits}/${id}`, { granted_on: day })),
        );
        const won = answers.filter(({ status }) => status === 200);
        expect(won).toHaveLength(1);
        for (const answer of answers) if (!won.includes(answer)) refusedFor(answer);
        expect((await server.request('GET', `${permits}/${id}`)).body).toEqual(won[0]?.body);
      });
    });

    describe('a default that each create computes', () => {
      /** The day that a time is in, in the time zone of the service. */
      const dayOf = (time: unknown): string =>
        new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Kiritimati' }).format(new Date(String(time)));

      test('is the time of the create, and the day that it is in the time zone of the service', async () => {
        const permit = await created(permits, { site: 'A' });
        expect(permit['requested_at']).toBe(permit['created_at']);
        expect(permit['requested_on']).toBe(dayOf(permit['created_at']));
        const given = { requested_at: '2026-01-31T12:00:00.000Z', requested_on: '2026-01-30' };
        expect(await created(permits, { site: 'A', ...given })).toMatchObject(given);
        expect(await created(permits, { site: 'A', requested_on: null })).toMatchObject({ requested_on: null });
      });

      test('is that of each create of a batch, and of a line item', async () => {
        const operations = [
          { method: 'POST', path: permits, body: { site: 'A' } },
          { method: 'POST', path: checks, body: { permit_id: { result: 0 }, subject: 'Exits' } },
        ];
        const { body } = await server.request('POST', '/api/batch', { operations });
        const [permit, check] = (body as { results: { body: Stored }[] }).results.map((result) => result.body);
        expect(permit?.['requested_at']).toBe(permit?.['created_at']);
        expect(String(check?.['noted_at']) >= String(permit?.['created_at'])).toBe(true);
      });

      test('is that of the first start in a singleton', async () => {
        const only = (await server.request('GET', settings)).body as Stored;
        expect(only['registered_on']).toBe(dayOf(only['created_at']));
      });
    });

    test('the values of an enum of the service are those of each of its fields', async () => {
      expect(await created(permits, { site: 'A' })).toMatchObject({ urgency: 'normal' });
      const answer = await server.request('POST', permits, { site: 'A', urgency: 'urgent' });
      expect(refusedFor(answer)).toEqual({ urgency: 'not_in_enum' });
    });

    test('date-times are compared as instants, however they are written', async () => {
      const sentTimes = ['2026-05-01T12:00:00+02:00', '2026-05-01T10:30:00.5Z', '2026-05-01T23:59:59.123456789+14:00'];
      for (const time of sentTimes) await created(permits, { site: 'Times', requested_at: time });
      const found = async (query: string): Promise<unknown[]> => {
        const { body } = await server.request('GET', `${permits}?site=Times&sort=requested_at&${query}`);
        return (body as { data: Stored[] }).data.map((permit) => permit['requested_at']);
      };
      const [first, second, third] = [
        '2026-05-01T09:59:59.123Z',
        '2026-05-01T10:00:00.000Z',
        '2026-05-01T10:30:00.500Z',
      ];
      expect(await found('limit=9')).toEqual([first, second, third]);
      expect(await found('requested_at=2026-05-01T13:00:00%2B03:00')).toEqual([second]);
      expect(await found('requested_at[gt]=2026-05-01T05:00:00-05:00')).toEqual([third]);
      expect(await found('requested_at[in]=2026-05-01T10:30:00.5Z,2026-05-01T12:00:00%2B02:00')).toEqual([
        second,
        third,
      ]);
    });

    test('a number is found among several also if it is whole and over 2^53', async () => {
      // This text has another whole number than the double that it is read as.
      const fee = -310_077_847_214_415_700;
      const { id } = await created(permits, { site: 'Numbers', fee });
      const answer = await server.request('GET', `${permits}?site=Numbers&fee[in]=1,${fee}`);
      expect(answer.body).toMatchObject({ total: 1, data: [{ id, fee }] });
    });

    test('in a batch, an update of an immutable field undoes the batch', async () => {
      const operations = [
        { method: 'POST', path: permits, body: { site: 'Batch' } },
        { method: 'PATCH', path: `${permits}/{result:0}`, body: { granted_on: '2026-03-01' } },
        { method: 'PATCH', path: `${permits}/{result:0}`, body: { granted_on: '2026-03-02', site: 'Other' } },
      ];
      const answer = await server.request('POST', '/api/batch', { operations });
      expect(answer.body).toMatchObject({ operation: 2 });
      expect(refusedFor(answer)).toEqual({
        'operations/2/body/site': 'immutable',
        'operations/2/body/granted_on': 'immutable',
      });
      expect((await server.request('GET', `${permits}?site=Batch`)).body).toMatchObject({ total: 0 });
      const done = await server.request('POST', '/api/batch', { operations: operations.slice(0, 2) });
      expect(done.body).toMatchObject({ results: [{}, { body: { site: 'Batch', granted_on: '2026-03-01' } }] });
    });
  });
}
