import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { service } from '../service/generated/app.ts';
import { lineItemNamed, recordNamed, singletonNamed } from '../service/resources.ts';
import { describeEngine, engines, expectExactTotals, type TestDatabase } from '../support/databases.ts';
import { expectProblem, expectRefused, type Problem } from '../support/problem.ts';
import { create, list, retrieve, type Stored } from '../support/records.ts';
import { fullBody, minimalBody } from '../support/samples.ts';
import { type Answer, startServer, type TestServer } from '../support/server.ts';
import { contentsOf, done, type Operation, type Result, result, send, tables, withoutPlace } from './batch.ts';

const order = recordNamed('order');
const lead = recordNamed('lead');
const attachment = recordNamed('attachment');
const line = lineItemNamed('order_line');
const item = lineItemNamed('bom_item');
const settings = singletonNamed('booking_settings');
const slot = lineItemNamed('booking_slot');

const post = (path: string, body?: unknown): Operation => ({
  method: 'POST',
  path,
  ...(body !== undefined && { body }),
});
const patch = (path: string, body: unknown): Operation => ({ method: 'PATCH', path, body });
const del = (path: string): Operation => ({ method: 'DELETE', path });
const newOrder = post(order.path, minimalBody(order));
const lineOf = (place: number): Operation =>
  post(line.path, { ...minimalBody(line), [line.parentField]: result(place) });
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

for (const engine of engines) {
  describeEngine(engine, 'batches', () => {
    let database: TestDatabase;
    let server: TestServer;

    beforeAll(async () => {
      database = await engine.create(service.tables);
      server = await startServer({ env: { DATABASE_URL: database.url } });
    });
    afterEach(() => expectExactTotals(database, tables));
    afterAll(async () => {
      await server?.close();
      await database?.[Symbol.asyncDispose]();
    });

    /** How often the engine had to end a circle of transactions that wait for each other. */
    async function deadlocks(): Promise<number> {
      if (engine.name === 'SQLite') return 0;
      const [row] = await database.query(
        'select deadlocks::int from pg_stat_database where datname = current_database()',
      );
      return Number(row?.['deadlocks']);
    }

    /** Sends operations of which the one at `place` fails: as by itself, and nothing is done. */
    async function expectFailure(operations: readonly Operation[], place: number): Promise<Problem> {
      const before = await contentsOf(database);
      const answer = await send(server, operations);
      expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
      const problem = answer.body as Problem & { operation?: number };
      expect(expectProblem(answer, problem.status, problem.code)).toMatchObject({ operation: place });
      expect(await contentsOf(database)).toEqual(before);
      return problem;
    }

    /** A single request that fails as the operation does. */
    async function expectSameAlone(operation: Operation, problem: Problem, answer: Answer): Promise<void> {
      const alone = await server.request(operation.method, operation.path, operation.body);
      expect(alone.status, alone.text).toBe(problem.status);
      expect(withoutPlace(problem)).toEqual(withoutPlace(alone.body as Problem));
      expect(answer.headers.get('allow')).toBe(alone.headers.get('allow'));
    }

    describe('what is done', () => {
      test('every kind of operation answers as by itself, and sees those before it', async () => {
        const results = await done(server, [
          newOrder,
          lineOf(0),
          lineOf(0),
          patch(`${order.path}/{result:0}`, { company: 'Other' }),
          post(`${order.path}/{result:0}/submit`),
          post(`${line.path}/reorder`, {
            items: [
              { id: result(1), idx: 7 },
              { id: result(2), idx: 3 },
            ],
          }),
          del(`${line.path}/{result:1}`),
          post(`${order.path}/{result:0}/cancel`, { ignored: true }),
        ]);
        const [created, first, second, updated, submitted, reordered, deleted, cancelled] = results;
        expect(results.map(({ status }) => status)).toEqual([201, 201, 201, 200, 200, 200, 200, 200]);
        const { id } = created!.body;
        expect(first!.body).toMatchObject({ idx: 1, [line.parentField]: id });
        expect(second!.body).toMatchObject({ idx: 2, [line.parentField]: id });
        expect(updated!.body).toEqual({ ...created!.body, company: 'Other', updated_at: updated!.body['updated_at'] });
        expect(submitted!.body).toMatchObject({ id, company: 'Other', status: 'submitted' });
        // The list as it was then, before the delete.
        expect(reordered!.body).toEqual({
          data: [
            { ...second!.body, idx: 3 },
            { ...first!.body, idx: 7 },
          ],
          has_more: false,
          total: 2,
        });
        expect(deleted!.body).toEqual({ id: first!.body['id'], deleted: true });
        expect(await retrieve(server, order.path, String(id))).toEqual(cancelled!.body);
        expect(cancelled!.body).toMatchObject({ status: 'cancelled' });
        const page = await list(server, line.path, { parent_id: String(id) });
        expect(page).toEqual({ data: [{ ...second!.body, idx: 3 }], has_more: false, total: 1 });
      });

      test('a hundred creates are listed in their order, and every field is stored', async () => {
        const operations = times(100, (n) => post(lead.path, fullBody(lead, undefined, n)));
        const results = await done(server, operations);
        const { data } = await list(server, lead.path, { limit: 100 });
        expect(data).toEqual(results.map(({ body }) => body).toReversed());
        for (const [n, one] of results.entries()) expect(one.body).toMatchObject(fullBody(lead, undefined, n));
      });

      test('a record that is created and deleted leaves nothing, nor does a parent with its items', async () => {
        const before = await contentsOf(database);
        await done(server, [newOrder, lineOf(0), lineOf(0), del(`${order.path}/{result:0}`)]);
        const elsewhere = post(item.path, minimalBody(item, 'nowhere'));
        await done(server, [elsewhere, elsewhere, del(`${item.path}/{result:0}`), del(`${item.path}/{result:1}`)]);
        const { _row_counter: counters, ...rows } = await contentsOf(database);
        const { _row_counter: countersBefore, ...rowsBefore } = before;
        expect(rows).toEqual(rowsBefore);
        const kept = (all: unknown): unknown[] => (all as { parent: string }[]).filter(({ parent }) => parent !== '');
        expect(kept(counters)).toEqual(kept(countersBefore));
      });

      test('line items move between parents of the same batch, and a singleton is set', async () => {
        const { id } = (await server.request('GET', settings.path)).body as Stored;
        const [, , moved, set, made] = await done(server, [
          newOrder,
          newOrder,
          lineOf(0),
          patch(`${settings.path}/${id}`, { days_ahead: 9 }),
          post(slot.path, minimalBody(slot, id)),
          patch(`${line.path}/{result:2}`, { [line.parentField]: result(1) }),
        ]);
        expect(set!.body).toMatchObject({ id, days_ahead: 9 });
        expect(made!.body).toMatchObject({ [slot.parentField]: id });
        const of = await list(server, line.path, { parent_id: String(moved!.body[line.parentField]) });
        expect(of.total).toBe(0);
      });

      test('reads see what it has changed, whichever thread has done it', async () => {
        const { id } = await create(server, order.path, minimalBody(order));
        const made = await create(server, line.path, minimalBody(line, id));
        // Read twice, so that it may be cached.
        for (const _ of [1, 2]) await retrieve(server, order.path, id);
        const change = (notes: string): Operation => patch(`${order.path}/${id}`, { notes });
        const move = post(`${line.path}/reorder`, { items: [{ id: made.id, idx: 5 }] });
        for (const operations of [[change('a')], [change('b'), move], [move, change('c')]]) {
          const results = await done(server, operations);
          const updated = results.find(({ body }) => body['id'] === id);
          expect(await retrieve(server, order.path, id)).toEqual(updated!.body);
        }
        await done(server, [del(`${order.path}/${id}`)]);
        expectProblem(await server.request('GET', `${order.path}/${id}`), 404, 'not_found');
      });

      test('references stand for ids, and nowhere else', async () => {
        const [made, note] = await done(server, [
          newOrder,
          post(order.path, { ...minimalBody(order), notes: result(0) }),
        ]);
        expect(note!.body['notes']).toBe(made!.body['id']);
        // A number takes no id, and a body is no reference.
        const text = await expectFailure([newOrder, post(order.path, { ...minimalBody(order), total: result(0) })], 1);
        expect(text.errors).toMatchObject([{ pointer: '/operations/1/body/total', code: 'wrong_type' }]);
        const body = await expectFailure([newOrder, post(order.path, result(0))], 1);
        expect(body.errors).toContainEqual(expect.objectContaining({ pointer: '/operations/1/body/result' }));
      });
    });

    describe('what fails', () => {
      test.each<[string, () => Operation, string]>([
        ['an unknown id', () => patch(`${order.path}/order_0`, { company: 'x' }), 'not_found'],
        ['an id that no database can hold', () => del(`${order.path}/%00`), 'not_found'],
        ['an unknown path', () => post('/api/sales/odrer', {}), 'not_found'],
        ['a path outside the API', () => post('/healthz', {}), 'method_not_allowed'],
        ['a method that the path lacks', () => del(settings.path), 'method_not_allowed'],
        ['a query', () => post(`${order.path}?limit=1`, minimalBody(order)), 'invalid_query'],
        ['a long path', () => post(`/api/${'x'.repeat(9000)}`, {}), 'uri_too_long'],
        ['no body', () => post(order.path), 'malformed_json'],
        ['a body that is no object', () => post(order.path, []), 'invalid_body'],
        ['many wrong fields', () => post(order.path, { comany: 1, total: 'x', id: 'y' }), 'invalid_body'],
        ['too many values', () => post(order.path, { company: times(300, () => 1) }), 'malformed_json'],
        ['a read-only field', () => patch(`${order.path}/{result:0}`, { id: 'x' }), 'invalid_body'],
        ['a missing parent', () => post(line.path, minimalBody(line, 'order_0')), 'parent_missing'],
        ['a wrong state', () => post(`${order.path}/{result:0}/cancel`), 'wrong_state'],
        [
          'a reorder of an unknown item',
          () => post(`${line.path}/reorder`, { items: [{ id: 'x', idx: 1 }] }),
          'not_found',
        ],
        [
          'a reorder with an item twice',
          () => post(`${line.path}/reorder`, { items: times(2, (idx) => ({ id: 'x', idx })) }),
          'invalid_body',
        ],
        ['a large body', () => post(order.path, { notes: 'x'.repeat(1_048_576) }), 'body_too_large'],
      ])('%s: nothing is done, and the answer is that of its own request', async (_, make, code) => {
        const operation = make();
        const operations = [newOrder, lineOf(0), operation, lineOf(0)];
        const before = await contentsOf(database);
        const answer = await send(server, operations);
        const problem = expectProblem(answer, (answer.body as Problem).status, code);
        expect(problem).toMatchObject({ operation: 2 });
        expect(await contentsOf(database)).toEqual(before);
        const { id } = await create(server, order.path, minimalBody(order));
        const alone = { ...operation, path: operation.path.replace('{result:0}', id) };
        const isBodyless = operation.body === undefined && code === 'malformed_json';
        await expectSameAlone(isBodyless ? { ...alone, body: '' } : alone, problem, answer);
      });

      test('a path over the limit is refused before its references are looked at', async () => {
        const answer = await send(server, [newOrder, post('/{result:}'.repeat(100_000), {})]);
        expect(expectProblem(answer, 414, 'uri_too_long')).toMatchObject({ operation: 1 });
      });

      test('of several the first is answered, whether the body or the database tells', async () => {
        const missing = patch(`${order.path}/order_0`, { company: 'x' });
        const wrong = post(order.path, {});
        expect((await expectFailure([newOrder, missing, wrong], 1)).code).toBe('not_found');
        expect((await expectFailure([newOrder, wrong, missing], 1)).code).toBe('invalid_body');
        expect((await expectFailure([wrong, missing], 0)).code).toBe('invalid_body');
        expect((await expectFailure([newOrder, lineOf(0), post('/api/nowhere', {})], 2)).code).toBe('not_found');
      });

      test('an update, a delete with items, a reorder and a move are undone', async () => {
        const { id } = await create(server, order.path, minimalBody(order));
        const other = await create(server, order.path, minimalBody(order));
        const [a, b] = [
          await create(server, line.path, minimalBody(line, id)),
          await create(server, line.path, minimalBody(line, id)),
        ];
        // Read twice, so that they may be cached.
        for (const _ of [1, 2]) await retrieve(server, order.path, id);
        await expectFailure(
          [
            patch(`${order.path}/${id}`, { company: 'Other' }),
            post(`${order.path}/${id}/submit`),
            patch(`${line.path}/${a.id}`, { [line.parentField]: other.id }),
            post(`${line.path}/reorder`, { items: [{ id: b.id, idx: -1 }] }),
            del(`${order.path}/${id}`),
            del(`${order.path}/${id}`),
          ],
          5,
        );
        expect(await retrieve(server, order.path, id)).toMatchObject({ status: 'draft' });
        expect((await list(server, line.path, { parent_id: id })).data).toEqual([a, b]);
      });

      test.each(['', 'api', order.path.slice(1), '?', '\uFFFD'])('the path %j is not found', async (path) => {
        expect((await expectFailure([newOrder, { method: 'POST', path, body: {} }], 1)).code).toBe('not_found');
      });

      test('a batch in a batch is not found', async () => {
        for (const method of ['POST', 'PATCH']) {
          const nested = { method, path: '/api/batch', body: { operations: [newOrder] } };
          expect((await expectFailure([newOrder, nested], 1)).code).toBe('not_found');
        }
      });
    });

    describe('what is no batch', () => {
      test.each<[string, unknown, string[]]>([
        ['no operations', [], ['/operations']],
        ['too many', times(101, () => newOrder), ['/operations']],
        ['no list', {}, ['/operations']],
        ['an operation that is none', ['x', newOrder], ['/operations/0']],
        ['a method that reads', [{ method: 'GET', path: order.path }], ['/operations/0/method']],
        ['a method in small letters', [{ method: 'post', path: order.path, body: {} }], ['/operations/0/method']],
        ['no path', [newOrder, { method: 'POST', body: {} }], ['/operations/1/path']],
        ['an unknown key', [{ ...newOrder, headers: {} }], ['/operations/0/headers']],
      ])('%s', async (_, operations, pointers) => {
        const problem = expectRefused(await send(server, operations), ...pointers);
        expect(problem).not.toHaveProperty('operation');
      });

      test('references that name no earlier create, all of them', async () => {
        const { id } = await create(server, order.path, minimalBody(order));
        const operations = [
          newOrder,
          patch(`${order.path}/{result:1}`, { notes: result(1) }),
          patch(`${order.path}/{result:x}`, { notes: { result: '0' } }),
          patch(`${order.path}/{result:-1}`, { notes: result(-1), company: result(0.5) }),
          patch(`${order.path}/${id}`, { notes: result(7) }),
          patch(`${order.path}/{result:4}`, { notes: { result: null } }),
          post(`${line.path}/reorder`, { items: [{ id: result(1), idx: 1 }] }),
        ];
        const before = await contentsOf(database);
        const problem = expectRefused(
          await send(server, operations),
          ...[1, 2, 3, 5].flatMap((n) => [`/operations/${n}/path`, `/operations/${n}/body/notes`]),
          '/operations/3/body/company',
          '/operations/4/body/notes',
          '/operations/6/body/items/0/id',
        );
        expect(problem).not.toHaveProperty('operation');
        expect(new Set(problem.errors?.map(({ code }) => code))).toEqual(new Set(['no_earlier_create']));
        expect(await contentsOf(database)).toEqual(before);
      });

      test('bodies, methods and queries that the path does not take', async () => {
        const ask = (body: unknown, headers = {}): Promise<Answer> =>
          server.request('POST', '/api/batch', body, headers);
        expectProblem(await ask('{'), 400, 'malformed_json');
        expectProblem(await ask('{"operations": [], "operations": []}'), 400, 'malformed_json');
        expectRefused(await ask([]), '');
        expectRefused(await ask({ operation: [newOrder] }), '/operations', '/operation');
        expectProblem(
          await ask({ operations: [newOrder] }, { 'content-type': 'text/plain' }),
          415,
          'unsupported_media_type',
        );
        expectProblem(await ask({ operations: [newOrder] }, { authorization: null }), 401, 'unauthorized');
        expectProblem(await server.request('POST', '/api/batch?a=1', { operations: [newOrder] }), 400, 'invalid_query');
        const answer = await server.request('GET', '/api/batch');
        expectProblem(answer, 405, 'method_not_allowed');
        expect(answer.headers.get('allow')).toBe('POST');
        expectProblem(await ask(`{"operations":[${'"x",'.repeat(100_000)}"x"]}`), 400, 'malformed_json');
      });

      // To compare the rows of such bodies takes long, and these limits are no engine's.
      const onSqlite = test.runIf(engine.name === 'SQLite');
      onSqlite(
        'a body over 16 MiB; one of 15 MiB is done, and each operation keeps the limit of its resource',
        async () => {
          const data = 'x'.repeat(5 * 1024 * 1024);
          const large = post(attachment.path, { ...minimalBody(attachment), data });
          const problem = expectProblem(
            await send(
              server,
              times(4, () => large),
            ),
            413,
            'body_too_large',
          );
          expect(problem).not.toHaveProperty('operation');
          const results = await done(server, [...times(3, () => large), newOrder]);
          expect(results.map(({ body }) => String(body['data'] ?? '').length)).toEqual([
            ...times(3, () => data.length),
            0,
          ]);
          // So that the rows that are compared later are small.
          await done(
            server,
            results.slice(0, 3).map(({ body }) => del(`${attachment.path}/${body['id']}`)),
          );
          const long = post(order.path, { ...minimalBody(order), notes: data });
          expect((await expectFailure([newOrder, large, long], 2)).code).toBe('body_too_large');
        },
      );

      test.runIf(engine.name === 'PostgreSQL')(
        'beside an operation that is too large, others are tried once',
        async () => {
          const { id } = await create(server, order.path, minimalBody(order));
          // A rollback takes back no number of a sequence.
          await database.execute(`
          create sequence tries;
          create function count_try() returns trigger as 'begin perform nextval(''tries''); return new; end' language plpgsql;
          create trigger count_tries before update on "order" for each row execute function count_try()`);
          try {
            const large = post(order.path, { ...minimalBody(order), notes: 'x'.repeat(1_048_576) });
            const problem = await expectFailure([patch(`${order.path}/${id}`, { notes: 'tried' }), large], 1);
            expect(problem.code).toBe('body_too_large');
            const tries = await database.query('select last_value::int, is_called from tries');
            expect(tries).toEqual([{ last_value: 1, is_called: true }]);
          } finally {
            await database.execute('drop trigger count_tries on "order"; drop function count_try; drop sequence tries');
          }
        },
      );

      onSqlite('results that are too long together', async () => {
        const ids: string[] = [];
        const data = 'x'.repeat(10 * 1024 * 1024);
        for (const _ of [1, 2])
          ids.push((await create(server, attachment.path, { ...minimalBody(attachment), data })).id);
        const touch = (n: number): Operation => patch(`${attachment.path}/${ids[n % 2]}`, { title: `${n}` });
        const problem = await expectFailure(times(5, touch), 3);
        expect(problem.code).toBe('body_too_large');
        expect((await done(server, times(2, touch))).map(({ body }) => body['title'])).toEqual(['0', '1']);
        await done(
          server,
          ids.map((id) => del(`${attachment.path}/${id}`)),
        );
      });
    });

    describe('at the same time', () => {
      test('batches and single writes of the same records are done one after the other', async () => {
        const { id } = await create(server, order.path, minimalBody(order));
        const batches = times(20, (n) =>
          done(server, [
            post(line.path, { ...minimalBody(line, id), article: `batch ${n}` }),
            newOrder,
            post(line.path, { ...minimalBody(line, id), article: `batch ${n}` }),
            patch(`${order.path}/${id}`, { notes: `batch ${n}` }),
          ]),
        );
        const singles = times(40, (n) =>
          server.request('POST', line.path, { ...minimalBody(line, id), article: `single ${n}` }),
        );
        const [results] = await Promise.all([Promise.all(batches), Promise.all(singles)]);
        const { data, total } = await list(server, line.path, { parent_id: id, limit: 1000 });
        expect(total).toBe(80);
        expect(data.map(({ idx }) => idx)).toEqual(times(80, (n) => n + 1));
        for (const [n, [a, , b, last]] of results.entries()) {
          // The parent is locked from the first one on.
          expect(Number(b!.body['idx'])).toBe(Number(a!.body['idx']) + 1);
          expect(last!.body['notes']).toBe(`batch ${n}`);
        }
      });

      test('of batches that race for the same records some are refused, and no part of them is done', async () => {
        const { id } = await create(server, order.path, minimalBody(order));
        const answers = await Promise.all(
          times(12, (n) =>
            send(server, [
              post(line.path, { ...minimalBody(line, id), article: `race ${n}` }),
              post(`${order.path}/${id}/submit`),
            ]),
          ),
        );
        const winners = answers.filter(({ status }) => status === 200);
        expect(winners).toHaveLength(1);
        for (const one of answers) if (one.status !== 200) expectProblem(one, 409, 'wrong_state');
        expect((await list(server, line.path, { parent_id: id })).total).toBe(1);
      });

      test('batches of the same tables in opposite orders do not wait for each other in a circle', async () => {
        const creates = (...kinds: readonly (typeof order)[]): Operation[] =>
          times(30, (n) => post(kinds[n % 2]!.path, minimalBody(kinds[n % 2]!)));
        await Promise.all(times(16, (n) => done(server, n % 2 ? creates(order, lead) : creates(lead, order))));
        expect(await deadlocks()).toBe(0);
      });

      test('batches that take numbers of two sequences in opposite orders do not wait for each other in a circle', async () => {
        const receipt = (): Operation => post('/api/sales/receipt', { payer: 'a' });
        const receipts = await done(server, times(16, receipt));
        const before = await deadlocks();
        const batches = receipts.map(({ body }, n) => {
          const added = post('/api/sales/receipt-line', { receipt_id: body['id'], article: 'x' });
          const both = n % 2 ? [added, receipt()] : [receipt(), added];
          return done(server, [...both, ...times(8, () => newOrder)]);
        });
        await Promise.all(batches);
        expect(await deadlocks()).toBe(before);
      });

      test('batches that move line items between two parents in opposite directions do not wait for each other in a circle', async () => {
        const [one, other, ...items] = await done(server, [
          ...times(2, () => post('/api/expenses/claim', { title: 'Moved' })),
          ...times(16, (n) => post('/api/expenses/claim-item', { claim_id: result(n % 2), amount: '1.00' })),
        ]);
        const claims = [other, one].map((created) => created?.body['id']);
        const move = ({ body }: Result, to: unknown): Promise<unknown> =>
          done(server, [patch(`/api/expenses/claim-item/${body['id']}`, { claim_id: to })]);
        const before = await deadlocks();
        for (const round of [0, 1, 2, 3])
          await Promise.all(items.map((created, n) => move(created, claims[(n + round) % 2])));
        expect(await deadlocks()).toBe(before);
      });

      test('batches that change the same records in opposite orders do not wait for each other in a circle', async () => {
        const ids = (await done(server, [newOrder, newOrder])).map(({ body }) => String(body['id']));
        const touched = (id: string, n: number): readonly Operation[] => [
          patch(`${order.path}/${id}`, { notes: `${n}` }),
          post(line.path, minimalBody(line, id)),
          post(item.path, minimalBody(item, id)),
        ];
        const before = await deadlocks();
        await Promise.all(
          times(16, (n) =>
            done(
              server,
              (n % 2 ? ids : ids.toReversed()).flatMap((id) => touched(id, n)),
            ),
          ),
        );
        const notes = await Promise.all(ids.map(async (id) => (await retrieve(server, order.path, id))['notes']));
        expect(new Set(notes).size).toBe(1);
        expect(await deadlocks()).toBe(before);
      });
    });
  });
}
