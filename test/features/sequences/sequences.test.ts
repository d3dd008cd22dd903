import { afterAll, beforeAll, expect, test } from 'vitest';

import { createKey } from '../../../runtime/features/keys/administration.ts';
import { administer, organizationOf } from '../../organizations/administer.ts';
import { service } from '../../service/generated/app.ts';
import { citus, describeEngine, engines, type TestDatabase } from '../../support/databases.ts';
import { expectProblem } from '../../support/problem.ts';
import { create, listAll, pageIn, remove, retrieve, type Stored, storedIn, update } from '../../support/records.ts';
import { type Answer, startServer, type TestServer } from '../../support/server.ts';

const path = '/api/sales/receipt';
const linePath = '/api/sales/receipt-line';

/** The counts in numbers like `R-2026-0012`. */
const countsOf = (records: readonly Stored[]): number[] =>
  records.map(({ number }) => Number(/^R-\d{4}-(\d{4,})$/.exec(String(number))?.[1]));

const upTo = (last: number): number[] => Array.from({ length: last }, (_, n) => n + 1);

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'numbers of a sequence', () => {
    let database: TestDatabase;
    let server: TestServer;

    beforeAll(async () => {
      database = await engine.create(service.tables);
      server = await startServer({ env: { DATABASE_URL: database.serverUrl ?? database.url } });
    });
    afterAll(async () => {
      await server?.close();
      await database?.[Symbol.asyncDispose]();
    });

    /** The headers of requests to a new organization. */
    async function organization(name: string): Promise<Record<string, string>> {
      await organizationOf(database, service.tables, name);
      return keyOf(name, '*');
    }

    /** The headers of a key. */
    async function keyOf(name: string, scopes: string): Promise<Record<string, string>> {
      const options = { organization: name, name: 'test', rate: 'off', lifetime: null, scopes } as const;
      const { key } = await administer(database, (connection) => createKey(connection, options));
      return { authorization: `Bearer ${key}` };
    }

    const post = (body: object, headers = {}): Promise<Answer> => server.request('POST', path, body, headers);

    const batch = (operations: readonly object[], headers = {}): Promise<Answer> =>
      server.request('POST', '/api/batch', { operations }, headers);

    const all = async (headers: Record<string, string>): Promise<Stored[]> =>
      pageIn(await server.request('GET', `${path}?sort=number&limit=1000`, undefined, headers)).data;

    test('each organization has its own, and neither a refused create nor a deleted record leaves or gives one', async () => {
      const [one, other] = [await organization('one'), await organization('other')];
      const first = storedIn(await post({ payer: 'a', card: '1' }, one), 201);
      const year = String(first['number']).slice(0, 'R-2026'.length);
      expect(first).toMatchObject({ number: `${year}-0001`, label: `${year}-0001 a` });
      expectProblem(await post({ payer: 'nobody' }, one), 422, 'rule_violated');
      expectProblem(await post({ payer: 'b', card: '1' }, one), 409, 'not_unique');
      expectProblem(await post({ payer: 'b', number: `${year}-0009` }, one), 422, 'invalid_body');
      expectProblem(
        await batch(
          [
            { method: 'POST', path, body: { payer: 'b' } },
            { method: 'POST', path, body: { payer: 'nobody' } },
          ],
          one,
        ),
        422,
        'rule_violated',
      );
      const second = storedIn(await post({ payer: 'b' }, one), 201);
      expect(second).toMatchObject({ number: `${year}-0002` });
      expect((await server.request('DELETE', `${path}/${second.id}`, undefined, one)).status).toBe(200);
      expect(storedIn(await post({ payer: 'c' }, one), 201)).toMatchObject({ number: `${year}-0003` });
      expect(storedIn(await post({ payer: 'a' }, other), 201)).toMatchObject({ number: `${year}-0001` });
    });

    test('a batch numbers in its order, also line items, whatever it creates between them', async () => {
      const headers = await organization('batches');
      // A line that is appended waits for its parent, one with a place of its own does not.
      const operations = upTo(12).flatMap((n) => [
        { method: 'POST', path, body: { payer: String(n) } },
        { method: 'POST', path: linePath, body: { receipt_id: { result: 0 }, article: 'a', ...(n % 2 && { idx: n }) } },
      ]);
      const answer = await batch(operations, headers);
      expect(answer.status, answer.text).toBe(200);
      const bodies = (answer.body as { results: { body: Stored }[] }).results.map(({ body }) => body);
      expect(countsOf(bodies.filter(({ payer }) => payer))).toEqual(upTo(12));
      const codes = bodies.flatMap(({ code }) => (code ? [String(code)] : []));
      expect(codes.map((code) => Number(/^L\d{4}(\d\d)$/.exec(code)?.[1]))).toEqual(upTo(12));
    });

    test('only an import brings values; the sequence goes on behind the largest of the same text', async () => {
      const headers = await organization('imports');
      const importing = { ...headers, import: 'true' };
      const { number } = storedIn(await post({ payer: 'a' }, headers), 201);
      const year = String(number).slice(0, 'R-2026'.length);
      for (const given of [
        `${year}-0041`,
        `${year}-12345`,
        `${year}-0007`,
        'R-1999-0800',
        'old 17',
        `${year}-0000099999`,
      ]) {
        expect(storedIn(await post({ payer: given, number: given }, importing), 201)).toMatchObject({ number: given });
      }
      expectProblem(await post({ payer: 'b', number: `${year}-0041` }, importing), 409, 'not_unique');
      expectProblem(await post({ payer: 'b', number: 'x'.repeat(101) }, importing), 422, 'invalid_body');
      expectProblem(await post({ payer: 'b' }, { ...headers, import: 'yes' }), 400, 'invalid_header');
      expect(storedIn(await post({ payer: 'b' }, importing), 201)).toMatchObject({ number: `${year}-12346` });
      expectProblem(
        await batch([{ method: 'POST', path, body: { payer: 'b', number: 'x' } }], headers),
        422,
        'invalid_body',
      );
      const given = { payer: 'c', number: `${year}-20000` };
      const answer = await batch(
        [given, { payer: 'd' }].map((body) => ({ method: 'POST', path, body })),
        importing,
      );
      expect(answer.text).toContain(`${year}-20001`);
    });

    test('no import brings a number that the sequence could come to, but not go on behind', async () => {
      const headers = await organization('blocks');
      const importing = { ...headers, import: 'true' };
      const year = String(storedIn(await post({ payer: 'a' }, headers), 201)['number']).slice(0, 'R-2026'.length);
      const bring = (digits: string): Promise<Answer> => post({ payer: 'b', number: `${year}-${digits}` }, importing);
      const next = async (): Promise<unknown> => storedIn(await post({ payer: 'c' }, headers), 201)['number'];
      for (const digits of ['1000000000000', '999999999999998', '9007199254740992', '9'.repeat(90)]) {
        expect(expectProblem(await bring(digits), 422, 'invalid_body').errors).toMatchObject([
          {
            pointer: '/number',
            code: 'too_large',
            message: 'must have at most 12 digits in the place of the zeros of R-{yyyy}-{0000}',
          },
        ]);
        const body = { payer: 'b', number: `${year}-${digits}` };
        expectProblem(await batch([{ method: 'POST', path, body }], importing), 422, 'invalid_body');
      }
      expect(await next()).toBe(`${year}-0002`);
      // The sequence never gives these.
      for (const digits of ['0000000000000003', '9'.repeat(13) + 'x']) expect((await bring(digits)).status).toBe(201);
      expect((await bring('999999999998')).status).toBe(201);
      expect([await next(), await next()]).toEqual([`${year}-999999999999`, `${year}-1000000000000`]);
      expectProblem(await bring('1000000000001'), 422, 'invalid_body');
      expect(await next()).toBe(`${year}-1000000000001`);
    });

    test('an import needs the scope of the create alone, and events have the values that it brings', async () => {
      const headers = await organization('scopes');
      const receipt = { method: 'POST', path, body: { payer: 'a', number: 'R-2020-0007' } };
      const importing = async (scopes: string) => ({ ...(await keyOf('scopes', scopes)), import: 'true' });
      for (const scopes of [
        'sales/receipt:read',
        'sales/receipt:transition',
        'sales/receipt-line sales/order events',
      ]) {
        const key = await importing(scopes);
        for (const answer of [await post(receipt.body, key), await batch([receipt], key)])
          expect(expectProblem(answer, 403, 'insufficient_scope').detail).toContain('sales/receipt:write');
      }
      expect(await all(headers)).toEqual([]);
      const { id, number } = storedIn(await post(receipt.body, await importing('sales/receipt:write')), 201);
      expect(number).toBe('R-2020-0007');
      const { body } = await server.request('GET', `/api/events?record=${id}`, undefined, headers);
      expect(body).toMatchObject({ data: [{ operation: 'create', changes: { number: [null, number] } }] });
    });

    test('no update changes one, a replay has the same, and undo restores a deleted one', async () => {
      const key = { 'idempotency-key': `numbers ${engine.name}`.replace(' ', '-') };
      const body = { payer: 'again' };
      const first = storedIn(await post(body, key), 201);
      expect(storedIn(await post(body, key), 201)).toEqual(first);
      const { id, number } = first;
      expectProblem(await server.request('PATCH', `${path}/${id}`, { number: 'R-2026-9999' }), 422, 'invalid_body');
      expect(await update(server, path, id, { payer: 'still', number })).toMatchObject({ payer: 'still', number });
      await remove(server, path, id);
      const next = await create(server, path, body);
      const events = async (record: string): Promise<{ number: number; operation: string; changes: object }[]> => {
        const answer = await server.request('GET', `/api/events?record=${record}`);
        return (answer.body as { data: [] }).data;
      };
      const [created, , deleted] = await events(id);
      expect(created?.changes).toMatchObject({ number: [null, number] });
      await server.request('POST', `/api/events/${deleted?.number}/undo`);
      expect(await retrieve(server, path, id)).toMatchObject({ number, payer: 'still' });
      const [ofNext] = await events(next.id);
      await server.request('POST', `/api/events/${ofNext?.number}/undo`);
      const [before, after] = countsOf([next, await create(server, path, body)]);
      expect(after).toBe(Number(before) + 1);
    });

    test('of racing creates, some of them refused, there is no gap at any moment', async () => {
      const headers = await organization('races');
      let seen = 0;
      for (let round = 1; round <= 5; round++) {
        const writes = Array.from({ length: 20 }, (_, n) =>
          n % 5 === 4 ? post({ payer: 'b', card: String(round) }, headers) : post({ payer: String(n) }, headers),
        );
        const race = { isOver: false };
        const done = Promise.all(writes).then((answers) => {
          race.isOver = true;
          return answers;
        });
        while (!race.isOver) {
          const records = await all(headers);
          // A reader of a number sees all before it: they are in the order of the commits.
          expect(countsOf(records)).toEqual(upTo(records.length));
          seen = Math.max(seen, records.length);
        }
        const statuses = (await done).map(({ status }) => status).toSorted();
        expect(statuses).toEqual([...Array.from({ length: 17 }, () => 201), 409, 409, 409]);
        expect(countsOf(await all(headers))).toEqual(upTo(17 * round));
      }
      expect(seen).toBeGreaterThan(0);
    });

    test('racing batches that create in different orders all are done', async () => {
      const headers = await organization('circles');
      const parent = storedIn(await post({ payer: 'p' }, headers), 201);
      const receipt = { method: 'POST', path, body: { payer: 'a' } };
      const line = { method: 'POST', path: linePath, body: { receipt_id: parent.id, article: 'a' } };
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, n) =>
          batch(n % 2 === 0 ? [receipt, line, receipt] : [line, receipt, line], headers),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(countsOf(await all(headers))).toEqual(upTo(25));
    });

    test('lists filter, sort and search numbers as texts', async () => {
      const headers = await organization('lists');
      const numbers = ['R-2020-0002', 'R-2020-9999', 'R-2020-10000'];
      for (const number of numbers) await post({ payer: 'a', number }, { ...headers, import: 'true' });
      expect((await all(headers)).map(({ number }) => number)).toEqual(['R-2020-0002', 'R-2020-10000', 'R-2020-9999']);
      for (const query of ['number=R-2020-9999', 'number[prefix]=R-2020-9', 'q=R-2020-9999']) {
        const page = pageIn(await server.request('GET', `${path}?${query}`, undefined, headers));
        expect(page.data.map(({ number }) => number)).toEqual(['R-2020-9999']);
      }
      expect(await listAll(server, path, { number: 'R-2020-9999' })).toEqual([]);
    });
  });
}
