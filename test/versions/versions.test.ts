import { afterAll, beforeAll, expect, test } from 'vitest';

import { contentsOf, type Operation, send, tables } from '../batch/batch.ts';
import { citus, describeEngine, engines, type TestDatabase } from '../support/databases.ts';
import { expectProblem } from '../support/problem.ts';
import { create, storedIn } from '../support/records.ts';
import { type Answer, startServer, type TestServer } from '../support/server.ts';

const orders = '/api/sales/order';
const lines = '/api/sales/order-line';
const authors = '/api/library/author';
const settings = '/api/workshop/booking-settings';
const newOrder = { ordered_on: '2026-01-31', company: 'Acme', currency: 'EUR' };

const malformed = ['1', '"1', 'w/"1"', '"1" "2"', '*, "1"', ',', ''];

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'versions', () => {
    let database: TestDatabase;
    let server: TestServer;

    const start = (): Promise<TestServer> =>
      startServer({ env: { DATABASE_URL: database.url, RATE_LIMIT: 'off', WORKERS: '2' } });

    beforeAll(async () => {
      database = await engine.create(tables);
      await database.prepare?.(tables);
      server = await start();
    }, 120_000);
    afterAll(async () => {
      await server?.close();
      await database?.[Symbol.asyncDispose]();
    });

    const make = async (path: string, body: object): Promise<string> =>
      `${path}/${(await create(server, path, body)).id}`;
    const settingsPath = async (): Promise<string> =>
      `${settings}/${storedIn(await server.request('GET', settings)).id}`;
    const makeLine = async (parent: string): Promise<string> =>
      make(lines, { order_id: parent.split('/').at(-1), article: 'nut' });

    const guarded = (method: string, path: string, ifMatch: string, body?: object, to = server): Promise<Answer> =>
      to.request(method, path, body, { 'if-match': ifMatch });

    const etagIn = (answer: Answer, status = 200): string | null => {
      expect(answer.status, answer.text).toBe(status);
      return answer.headers.get('etag');
    };
    /** The ETag of a record: also of a line item, as an update that changes nothing keeps it. */
    const etagOf = async (path: string): Promise<string | null> => etagIn(await server.request('PATCH', path, {}));

    async function expectStale(answer: Answer, etag: string): Promise<void> {
      expectProblem(answer, 412, 'stale');
      expect(answer.headers.get('etag')).toBe(etag);
    }

    test('each response with one record has its ETag, which every change raises and nothing else', async () => {
      const created = await server.request('POST', orders, newOrder);
      const one = `${orders}/${storedIn(created, 201).id}`;
      expect(etagIn(created, 201)).toBe('"1"');
      for (const method of ['GET', 'HEAD']) expect(etagIn(await server.request(method, one))).toBe('"1"');
      for (const etag of ['"2"', '"2"']) {
        expect(etagIn(await server.request('PATCH', one, { company: 'Bolt' }))).toBe(etag);
      }
      expect(etagIn(await server.request('POST', `${one}/submit`))).toBe('"3"');
      expect((await server.request('POST', `${one}/submit`)).headers.get('etag')).toBe(null);
      const line = await makeLine(one);
      expect(etagIn(await server.request('PATCH', line, { quantity: 2 }))).toBe('"2"');
      expect(etagIn(await server.request('GET', one))).toBe('"3"');
      const former = Number(JSON.parse(etagIn(await server.request('GET', settings))!));
      const changed = await server.request('PATCH', await settingsPath(), { number_of_bays: 10 + former });
      expect(etagIn(changed)).toBe(`"${former + 1}"`);
      expect(etagIn(await server.request('GET', settings))).toBe(`"${former + 1}"`);
    });

    test('lists, parts of records and deletes have none', async () => {
      const one = await make(orders, newOrder);
      const line = await makeLine(one);
      const parts = [`${one}?fields=company`, `${one}?expand=order-line`, `${settings}?fields=days_ahead`];
      for (const path of [orders, `${lines}?parent_id=${one.split('/').at(-1)}`, ...parts]) {
        const answer = await server.request('GET', path, undefined, { 'if-none-match': '*' });
        expect(etagIn(answer), path).toBe(null);
      }
      for (const path of [line, one]) expect(etagIn(await server.request('DELETE', path))).toBe(null);
    });

    test('If-None-Match: a version that the client has is not sent again', async () => {
      const one = await make(orders, newOrder);
      const ask = (method: string, tags: string): Promise<Answer> =>
        server.request(method, one, undefined, { 'if-none-match': tags });
      for (const method of ['GET', 'HEAD']) {
        for (const tags of ['"1"', 'W/"1"', ' * ', '"7", "1"', ',"a,b" ,,\tW/"1",']) {
          const answer = await ask(method, tags);
          expect(etagIn(answer, 304), tags).toBe('"1"');
          expect(answer.text).toBe('');
        }
        for (const tags of ['"2"', '"01"', '"W/1"', '"a", W/"11"'])
          expect(etagIn(await ask(method, tags)), tags).toBe('"1"');
        for (const tags of malformed) expect((await ask(method, tags)).status, tags).toBe(400);
      }
      expectProblem(await ask('GET', '"1'), 400, 'invalid_header');
      await server.request('PATCH', one, { company: 'Bolt' });
      expect(storedIn(await ask('GET', '"1"'))).toMatchObject({ company: 'Bolt' });
      expect(etagIn(await server.request('GET', settings, undefined, { 'if-none-match': '*' }), 304)).not.toBe(null);
    });

    test('If-Match: a write is done if the record has one of the versions, and otherwise nothing is', async () => {
      const one = await make(orders, newOrder);
      const line = await makeLine(one);
      const page = await settingsPath();
      const writes: [method: string, path: string, record: string, body?: object][] = [
        ['PATCH', one, one, { notes: 'new' }],
        ['POST', `${one}/submit`, one],
        ['PATCH', page, page, { confirmation_page: '/new' }],
        ['PATCH', line, line, { article: 'bolt' }],
        ['DELETE', line, line],
        ['DELETE', one, one],
      ];
      for (const [n, [method, path, record, body]] of writes.entries()) {
        const etag = (await etagOf(record))!;
        const before = await contentsOf(database);
        const others = [
          '"99"',
          'W/"99"',
          `"0${JSON.parse(etag)}"`,
          `"W/${JSON.parse(etag)}", ""`,
          '"1e0","99999999999999999999"',
        ];
        for (const tags of others) await expectStale(await guarded(method, path, tags, body), etag);
        for (const tags of malformed) expectProblem(await guarded(method, path, tags, body), 400, 'invalid_header');
        expect(await contentsOf(database)).toEqual(before);
        // A proxy that compresses makes the ETag weak.
        const tags = `,"a,b" ,W/"99",,\t${n % 2 === 0 ? 'W/' : ''}${etag} ,`;
        expect((await guarded(method, path, tags, body)).status, `${path} ${tags}`).toBe(200);
        expect(await contentsOf(database)).not.toEqual(before);
      }
      expect(etagIn(await guarded('PATCH', page, '*', { days_ahead: 8 }))).toBe(await etagOf(page));
      for (const [method, path] of [
        ['PATCH', one],
        ['DELETE', line],
        ['POST', `${one}/cancel`],
      ] as const) {
        for (const tags of ['*', '"1"'])
          expectProblem(await guarded(method, path, tags, method === 'PATCH' ? {} : undefined), 404, 'not_found');
      }
    });

    test('If-Match is refused if a request changes no record that is there, or several', async () => {
      const line = await makeLine(await make(orders, newOrder));
      const before = await contentsOf(database);
      const items = [{ id: line.split('/').at(-1), idx: 9 }];
      const requests: [path: string, body: object][] = [
        [orders, newOrder],
        [`${lines}/reorder`, { items }],
        ['/api/batch', { operations: [{ method: 'POST', path: orders, body: newOrder }] }],
        ['/api/events/1/undo', {}],
      ];
      for (const [path, body] of requests) {
        for (const tags of ['*', '"1"']) expectProblem(await guarded('POST', path, tags, body), 400, 'invalid_header');
      }
      expect(await contentsOf(database)).toEqual(before);
    });

    test('a batch has a condition and an ETag for each operation', async () => {
      const one = await make(orders, newOrder);
      const patch = (ifMatch: string, company: string): Operation & { if_match: string } => ({
        method: 'PATCH',
        path: one,
        if_match: ifMatch,
        body: { company },
      });
      const submit = { method: 'POST', path: `${one}/submit`, if_match: 'W/"9", W/"3"' };
      const post = { method: 'POST', path: orders, body: newOrder };
      const answer = await send(server, [patch('"1"', 'B'), patch('*', 'B'), patch('"2"', 'C'), submit, post]);
      const { results } = answer.body as { results: { etag?: string }[] };
      expect(results.map(({ etag }) => etag)).toEqual(['"2"', '"2"', '"3"', '"4"', '"1"']);
      const before = await contentsOf(database);
      const stale = await send(server, [post, patch('"4"', 'D'), patch('"4"', 'E')]);
      await expectStale(stale, '"5"');
      expect(stale.body).toMatchObject({ operation: 2 });
      for (const wrong of [patch('4', 'D'), { ...post, if_match: '*' }]) {
        const refused = await send(server, [post, wrong]);
        expect(expectProblem(refused, 400, 'invalid_header')).toMatchObject({ operation: 1 });
      }
      const long = await send(server, [patch('"4",'.repeat(5_000), 'D')]);
      expect(expectProblem(long, 422, 'invalid_body').errors).toMatchObject([
        { pointer: '/operations/0/if_match', code: 'too_long' },
      ]);
      expect(await contentsOf(database)).toEqual(before);
      const removed = await send(server, [{ method: 'DELETE', path: one, if_match: '"4"' }, post]);
      expect((removed.body as typeof answer.body & { results: object[] }).results[0]).toEqual({
        status: 200,
        body: { id: one.split('/').at(-1), deleted: true },
      });
    });

    test('a reorder raises the versions of the items that it moves', async () => {
      const order = await make(orders, newOrder);
      const items = [await makeLine(order), await makeLine(order), await makeLine(order)];
      const places = [1, 5].map((idx, i) => ({ id: items[i]!.split('/').at(-1), idx }));
      expect(etagIn(await server.request('POST', `${lines}/reorder`, { items: places }))).toBe(null);
      expect(await Promise.all(items.map(etagOf))).toEqual(['"1"', '"2"', '"1"']);
    });

    test('a reference that a delete sets to null raises the version', async () => {
      const mentor = await make(authors, { name: 'Ann' });
      const [taught, other] = [
        await make(authors, { name: 'Bob', mentor_id: mentor.split('/').at(-1) }),
        await make(authors, { name: 'Cid' }),
      ];
      await server.request('DELETE', mentor);
      expect([await etagOf(taught), await etagOf(other)]).toEqual(['"2"', '"1"']);
      await expectStale(await guarded('PATCH', taught, '"1"', { name: 'Dan' }), '"2"');
    });

    test('of a hundred racing updates with a guard, one wins each version', async () => {
      const [one, rounds, racers] = [await make(orders, newOrder), 5, 20];
      await using another = engine.name === 'PostgreSQL' ? await start() : undefined;
      const servers = [server, another ?? server];
      for (let version = 1; version <= rounds; version++) {
        const update = (_: unknown, n: number): Promise<Answer> =>
          guarded('PATCH', one, `"${version}"`, { notes: `${version} ${n}` }, servers[n % 2]);
        const answers = await Promise.all(Array.from({ length: racers }, update));
        const winners = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []));
        expect(winners).toHaveLength(1);
        for (const answer of answers.filter(({ status }) => status !== 200))
          await expectStale(answer, `"${version + 1}"`);
        const stored = await server.request('GET', one);
        expect(etagIn(stored)).toBe(`"${version + 1}"`);
        expect(storedIn(stored)).toMatchObject({ notes: `${version} ${winners[0]}` });
      }
    });

    test('of an update, a transition and a delete with the same guard, one wins', async () => {
      for (let round = 0; round < 10; round++) {
        const one = await make(orders, newOrder);
        const answers = await Promise.all([
          guarded('PATCH', one, '"1"', { notes: 'new' }),
          guarded('POST', `${one}/submit`, '"1"'),
          guarded('DELETE', one, '"1"'),
          send(server, [{ method: 'PATCH', path: one, if_match: '"1"', body: { notes: 'batch' } } as Operation]),
        ]);
        const statuses = answers.map(({ status }) => status);
        expect(
          statuses.filter((status) => status === 200),
          String(statuses),
        ).toHaveLength(1);
        expect([404, 412]).toEqual(expect.arrayContaining(statuses.filter((status) => status !== 200)));
      }
    });
  });
}
