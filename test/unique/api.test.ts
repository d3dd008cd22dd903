import { afterAll, beforeAll, expect, test } from 'vitest';

import { createKey } from '../../runtime/features/keys/administration.ts';
import { administer } from '../organizations/administer.ts';
import { service } from '../service/generated/app.ts';
import { describeEngine, engines, type TestDatabase } from '../support/databases.ts';
import { expectProblem, expectRefused, type Problem } from '../support/problem.ts';
import { create, storedIn } from '../support/records.ts';
import { type Answer, startServer, type TestServer } from '../support/server.ts';

type Clash = Problem & { conflicting_id?: string; operation?: number };

const path = '/api/register/member';

for (const engine of engines) {
  describeEngine(engine, 'unique fields of the API', () => {
    let database: TestDatabase;
    let server: TestServer;

    beforeAll(async () => {
      database = await engine.create(service.tables);
      server = await startServer({ env: { DATABASE_URL: database.url } });
    });
    afterAll(async () => {
      await server?.close();
      await database?.[Symbol.asyncDispose]();
    });

    const post = (body: object): Promise<Answer> => server.request('POST', path, body);

    /** The pointers, the other record and the place of a problem. */
    function expectClash(answer: Answer): [pointers: string[], id: string | undefined, operation: number | undefined] {
      const problem = expectProblem(answer, 409, 'not_unique') as Clash;
      expect(problem.errors?.map(({ code }) => code)).toEqual(problem.errors?.map(() => 'not_unique'));
      return [(problem.errors ?? []).map(({ pointer }) => pointer), problem.conflicting_id, problem.operation];
    }

    test('a clash is a conflict that names the fields and the other record', async () => {
      const { id } = await create(server, path, { name: 'A', card_number: '1', company: 'x', code: 1 });
      expect(expectClash(await post({ name: 'B', card_number: '1' }))).toEqual([['/card_number'], id, undefined]);
      const both = await post({ name: 'B', company: 'x', code: 1 });
      expect(expectClash(both)).toEqual([['/company', '/code'], id, undefined]);
      expect((both.body as Problem).detail).toBe(`The member ${id} has the same company and code.`);
      const other = await create(server, path, { name: 'B', company: 'x' });
      const update = (body: object): Promise<Answer> => server.request('PATCH', `${path}/${other.id}`, body);
      expect(expectClash(await update({ code: 1 }))).toEqual([['/company', '/code'], id, undefined]);
      expect(storedIn(await update({ code: 2 }))).toMatchObject({ code: 2, company: 'x' });
    });

    test('a key that may not read the resource does not learn the id', async () => {
      const { id } = await create(server, path, { name: 'A', card_number: '30' });
      const { id: changed } = await create(server, path, { name: 'B' });
      const options = { organization: 'main', name: 'test', rate: 'off', lifetime: null } as const;
      const body = { name: 'B', card_number: '30' };
      for (const [scopes, named] of [
        ['register/member:write', undefined],
        ['register/member:write register/member:read', id],
      ] as const) {
        const { key } = await administer(database, (connection) => createKey(connection, { ...options, scopes }));
        const headers = { authorization: `Bearer ${key}` };
        for (const answer of [
          await server.request('POST', path, body, headers),
          await server.request('PATCH', `${path}/${changed}`, body, headers),
          await server.request('POST', '/api/batch', { operations: [{ method: 'POST', path, body }] }, headers),
        ]) {
          expect(expectClash(answer)[1]).toBe(named);
          expect(answer.text.includes(id)).toBe(named !== undefined);
        }
      }
    });

    test('no answer shows the folded text, and no filter knows it', async () => {
      const created = await create(server, path, { name: 'A', email: 'Ä@example.com' });
      expect(created).toMatchObject({ email: 'Ä@example.com' });
      expect(Object.keys(created).filter((key) => key.startsWith('_'))).toEqual([]);
      expect(expectClash(await post({ name: 'B', email: 'a@EXAMPLE.com' }))).toEqual([
        ['/email'],
        created.id,
        undefined,
      ]);
      expectProblem(await server.request('GET', `${path}?_email_folded=a`), 400, 'invalid_query');
    });

    test('errors of the body and of the state come first', async () => {
      const { id } = await create(server, path, { name: 'A', card_number: '7' });
      expectRefused(await post({ card_number: '7' }), '/name');
      const { id: other } = await create(server, path, { name: 'B' });
      const update = (body: object): Promise<Answer> => server.request('PATCH', `${path}/${other}`, body);
      expectRefused(await update({ card_number: '7', id }), '/id');
      expectProblem(await server.request('PATCH', `${path}/none`, { card_number: '7' }), 404, 'not_found');
    });

    test('a batch says which operation clashes, and names no record that it has not stored', async () => {
      const { id } = await create(server, path, { name: 'A', card_number: '8' });
      const send = (...cards: string[]): Promise<Answer> =>
        server.request('POST', '/api/batch', {
          operations: cards.map((card) => ({ method: 'POST', path, body: { name: 'B', card_number: card } })),
        });
      expect(expectClash(await send('9', '8'))).toEqual([['/operations/1/body/card_number'], id, 1]);
      const within = await send('9', '10', '9');
      expect(expectClash(within)).toEqual([['/operations/2/body/card_number'], undefined, 2]);
      expect((await send('9', '10')).status).toBe(200);
    });
  });
}
