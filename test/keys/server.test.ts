import { request as send } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { idOfKey, newKey } from '../../runtime/features/keys/format.ts';
import { deleteOrganization } from '../../runtime/features/organizations/organizations.ts';
import { endpointsOf } from '../../runtime/kernel/api/endpoint.ts';
import type { End } from '../server/command.ts';
import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { administer } from '../organizations/administer.ts';
import { describeEngine, engines, type TestDatabase } from '../support/databases.ts';
import { expectProblem } from '../support/problem.ts';
import { parseRaw, raw } from '../support/raw.ts';
import { storedIn, pageIn } from '../support/records.ts';
import { actorOf, type Answer, TestServer, testKey } from '../support/server.ts';
import { features } from '../../runtime/features.ts';

/** Every operation, of a record that there is not, and the scope that it needs. */
const endpoints = service.tables.flatMap(endpointsOf).map(({ operation, pattern, table }) => ({
  method: operation.method,
  target: pattern.replace(':id', 'none'),
  scope: `${table.path}:${operation.action}`,
}));

const path = '/api/crm/competitor';
const idIn = (key: string): string => idOfKey(key) as string;
const invalid = 'Bearer realm="workshop", error="invalid_token"';

for (const engine of engines) {
  describeEngine(engine, 'API keys', () => {
    let database: TestDatabase;
    /** Two servers of one database, the first with two processes. */
    let many: TestServer;
    let one: TestServer;

    const run = (...args: string[]): Promise<End> => runInProcess(service, { DATABASE_URL: database.url }, ...args);

    /** Runs a command that succeeds. */
    const done = async (...args: string[]): Promise<string> => {
      const end = await run(...args);
      expect(end.code, end.stderr).toBe(0);
      return end.stdout;
    };

    const create = async (...args: string[]): Promise<string> => {
      const stdout = await done('keys', 'create', '--name', 'test', ...args);
      expect(stdout).toMatch(/^s2s_[0-9A-Za-z]{10}_[0-9A-Za-z]{36}\n$/);
      return stdout.trim();
    };

    const ask = (key: string, method = 'GET', target = path, body?: unknown, server = one): Promise<Answer> =>
      server.request(method, target, body, { authorization: `Bearer ${key}` });

    const expectUnauthorized = (answer: Answer, detail: string): void => {
      expect(expectProblem(answer, 401, 'unauthorized').detail).toBe(detail);
      expect(answer.headers.get('www-authenticate')).toBe(invalid);
    };

    beforeAll(async () => {
      database = await engine.create(service.tables);
      const env = { DATABASE_URL: database.url };
      many = new TestServer({ env: { ...env, WORKERS: '2' } });
      one = new TestServer({ env });
      await many.start();
      await one.start();
    }, 60_000);

    afterAll(async () => {
      await Promise.all([many?.close(), one?.close()]);
      await database?.[Symbol.asyncDispose]();
    }, 60_000);

    /** Asks each serving process about a key: a new connection reaches the next process. */
    function askAll(key: string): Promise<{ readonly statuses: number[]; readonly processes: number }> {
      // One after the other: the connections of tests at the same time would go by turns.
      const asked = lastAsked.then(() => askAllNow(key));
      lastAsked = asked.catch(() => undefined);
      return asked;
    }
    let lastAsked: Promise<unknown> = Promise.resolve();

    async function askAllNow(key: string): Promise<{ readonly statuses: number[]; readonly processes: number }> {
      const statuses = new Set<number>();
      const processes = new Set<string>();
      for (const server of [many, many, many, many, one]) {
        await new Promise<void>((resolve, reject) => {
          const options = { headers: { authorization: `Bearer ${key}` }, agent: false };
          const outgoing = send(server.url + path, options, (answer) => {
            statuses.add(answer.statusCode ?? 0);
            // A request id begins with what is the process's own.
            processes.add(String(answer.headers['x-request-id']).split('-')[0] as string);
            answer.resume().on('end', resolve).on('error', reject);
          });
          outgoing.on('error', reject).end();
        });
      }
      return { statuses: [...statuses], processes: processes.size };
    }

    test('work on running servers, each for the records of its organization', async () => {
      await done('organizations', 'create', 'acme');
      await done('organizations', 'create', 'beta');
      const [acme, beta] = [
        await create('--organization', 'acme', '--scope', '*'),
        await create('--organization', 'beta', '--scope', '*'),
      ];
      const main = await create('--scope', '*');
      const record = storedIn(await ask(acme, 'POST', path, { competitor_name: 'Of Acme' }), 201);
      expect(storedIn(await ask(acme, 'GET', `${path}/${record.id}`, undefined, many))).toEqual(record);
      expect(pageIn(await ask(acme)).total).toBe(1);
      for (const key of [beta, main, testKey]) {
        expectProblem(await ask(key, 'GET', `${path}/${record.id}`), 404, 'not_found');
        expect(pageIn(await ask(key)).total).toBe(0);
      }
      const ofMain = storedIn(await ask(testKey, 'POST', path, { competitor_name: 'Of main' }), 201);
      expect(storedIn(await ask(main, 'GET', `${path}/${ofMain.id}`))).toEqual(ofMain);
      expect(await askAll(acme)).toEqual({ statuses: [200], processes: 3 });
    });

    test('are stored as digests alone, and shown once', async () => {
      const key = await create('--scope', 'crm', '--expires', '90d', '--rate', '700/m');
      const [row] = await database.query(`select * from "_api_key" where "id" = '${idIn(key)}'`);
      expect(JSON.stringify(row)).not.toContain(key.slice(15, 40));
      expect(row).toMatchObject({ name: 'test', scopes: 'crm', rate: '700/m', revoked_at: null, last_used_at: null });
      const stdout = await done('keys', 'list');
      expect(stdout).toContain(key.slice(0, 14));
      expect(stdout).toMatch(/ {2}crm +700\/m +2\d{3}-\d\d-\d\d \d\d:\d\dZ {2}never +valid until 2\d{3}-/);
      expect(stdout + one.output + many.output).not.toContain(key.slice(15));
    });

    test.concurrent('that are revoked stop within a second in every process', async () => {
      const [key, other] = [await create('--scope', '*'), await create('--scope', '*')];
      for (const valid of [key, other]) expect(await askAll(valid)).toEqual({ statuses: [200], processes: 3 });
      expect(await done('keys', 'revoke', key.slice(0, 14))).toContain(`Revoked ${key.slice(0, 14)} (test, of main)`);
      await pause(1_000);
      expect(await askAll(key)).toEqual({ statuses: [401], processes: 3 });
      expect(await askAll(other)).toEqual({ statuses: [200], processes: 3 });
      expectUnauthorized(await ask(key), 'The API key was revoked.');
      expect(await done('keys', 'revoke', key)).toContain('Nothing to do');
      expect(await done('keys', 'list')).not.toContain(key.slice(0, 14));
      expect(await done('keys', 'list', '--all')).toContain(key.slice(0, 14));
    });

    test.concurrent('of an organization that is deleted stop within a second', async () => {
      await done('organizations', 'create', 'gone');
      const key = await create('--organization', 'gone', '--scope', '*');
      expect((await askAll(key)).statuses).toEqual([200]);
      await administer(database, (connection) => deleteOrganization(features.list, connection, 'gone', 0));
      await pause(1_000);
      expect((await askAll(key)).statuses).toEqual([401]);
    });

    /** As if a key had expired a second ago, as no clock of a test can be moved on in all servers. */
    const expire = async (key: string): Promise<void> => {
      const expiry = new Date(Date.now() - 1_000).toISOString();
      await database.execute(`update "_api_key" set "expires_at" = '${expiry}' where "id" = '${idIn(key)}'`);
      await vi.waitUntil(async () => String((await askAll(key)).statuses) === '401', {
        timeout: 10_000,
        interval: 500,
      });
    };

    test.concurrent('expire', async () => {
      const key = await create('--scope', '*', '--expires', '1h');
      expect((await askAll(key)).statuses).toEqual([200]);
      await expire(key);
      expectUnauthorized(await ask(key), 'The API key has expired.');
    });

    test.concurrent('are rotated: both are valid for the overlap', async () => {
      const old = await create('--organization', 'acme', '--scope', 'crm:read', '--rate', '9/s');
      expect((await askAll(old)).statuses).toEqual([200]);
      const end = await run('keys', 'rotate', old.slice(0, 14), '--overlap', '1h');
      expect(end).toMatchObject({ code: 0, stderr: expect.stringContaining(`takes the place of ${old.slice(0, 14)}`) });
      const key = end.stdout.trim();
      await pause(1_000);
      for (const valid of [old, key]) expect((await askAll(valid)).statuses).toEqual([200]);
      expect((await ask(key)).headers.get('ratelimit-policy')).toBe('"default";q=9;w=1');
      expectProblem(await ask(key, 'POST', path, {}), 403, 'insufficient_scope');
      await expire(old);
      expect((await askAll(key)).statuses).toEqual([200]);
      const refused = await run('keys', 'rotate', old);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('has expired. Create another one.') });
    });

    // Before any database is asked.
    const onceInAll = engine.name === 'SQLite' ? test : () => undefined;
    onceInAll('may do what their scopes say, in every operation', async () => {
      const actions = ['read', 'write', 'transition'];
      const keys = await Promise.all(actions.map((action) => create('--scope', `*:${action}`)));
      for (const { method, target, scope } of endpoints) {
        for (const [n, action] of actions.entries()) {
          for (const as of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
            const answer = await ask(keys[n] as string, as, target);
            if (scope.endsWith(`:${action}`)) {
              expect([401, 403], `${as} ${target}`).not.toContain(answer.status);
              continue;
            }
            expect(answer.status, `${as} ${target}`).toBe(403);
            const challenge = `Bearer realm="workshop", error="insufficient_scope", scope="${scope}"`;
            expect(answer.headers.get('www-authenticate')).toBe(challenge);
            if (as !== 'HEAD') expect(expectProblem(answer, 403, 'insufficient_scope').detail).toContain(scope);
          }
        }
      }
    });

    onceInAll('may do what their scopes say, in every operation of a batch', async () => {
      const actions = ['read', 'write', 'transition'];
      const keys = await Promise.all(actions.map((action) => create('--scope', `*:${action}`)));
      for (const { method, target, scope } of endpoints) {
        if (method === 'GET') continue;
        const operation = { method, path: target };
        for (const [n, action] of actions.entries()) {
          const answer = await ask(keys[n] as string, 'POST', '/api/batch', { operations: [operation] });
          if (scope.endsWith(`:${action}`)) {
            expect([401, 403], operation.path).not.toContain(answer.status);
            continue;
          }
          const challenge = `Bearer realm="workshop", error="insufficient_scope", scope="${scope}"`;
          expect(answer.headers.get('www-authenticate'), operation.path).toBe(challenge);
          const problem = expectProblem(answer, 403, 'insufficient_scope');
          expect(problem).toMatchObject({ operation: 0, detail: expect.stringContaining(scope) });
        }
      }
    });

    test('do nothing of a batch that has an operation without its scope', async () => {
      const key = await create('--organization', 'acme', '--scope', 'crm/competitor', '--scope', '*:read');
      const total = async (): Promise<number> => pageIn(await ask(key, 'GET', path)).total;
      const before = await total();
      const ownPost = { method: 'POST', path, body: { competitor_name: 'Batch' } };
      const failing = (...operations: object[]): Promise<Answer> => ask(key, 'POST', '/api/batch', { operations });
      const scopeless = await failing(ownPost, { ...ownPost, path: '/api/sales/order?none=1' });
      expect(expectProblem(scopeless, 403, 'insufficient_scope')).toMatchObject({ operation: 1 });
      const named = await failing({ ...ownPost, path: '/api/sales/order' }, ownPost, {
        method: 'DELETE',
        path: '/api/crm/lead/{result:0}',
      });
      expect(expectProblem(named, 403, 'insufficient_scope')).toMatchObject({ operation: 0 });
      const last = await failing(ownPost, { method: 'DELETE', path: '/api/crm/lead/{result:0}' });
      expect(expectProblem(last, 403, 'insufficient_scope')).toMatchObject({ operation: 1 });
      // An operation before it fails first.
      const first = await failing({ ...ownPost, body: {} }, { ...ownPost, path: '/api/sales/order' });
      expect(expectProblem(first, 422, 'invalid_body')).toMatchObject({ operation: 0 });
      expect(await total()).toBe(before);
      const allowed = await failing(ownPost, { method: 'PATCH', path: `${path}/{result:0}`, body: { website: null } });
      expect(allowed.status, allowed.text).toBe(200);
      expect(await total()).toBe(before + 1);
    });

    test('show line items with their parent only to who may read them', async () => {
      const orders = await create('--scope', 'sales/order');
      const both = await create('--scope', 'sales/order', '--scope', 'sales/order-line:read');
      const order = { ordered_on: '2026-11-20', company: 'Acme', currency: 'EUR' };
      const { id } = storedIn(await ask(orders, 'POST', '/api/sales/order', order), 201);
      for (const place of ['/api/sales/order', `/api/sales/order/${id}`]) {
        for (const parameter of [
          'expand=order-line',
          '%65xpand=order-line,order-line',
          'fields=id&expand=order%2Dline',
        ]) {
          const answer = await ask(orders, 'GET', `${place}?${parameter}`);
          expect(expectProblem(answer, 403, 'insufficient_scope').detail).toContain('sales/order-line:read');
        }
        expect((await ask(both, 'GET', `${place}?expand=order-line`)).status).toBe(200);
        expect((await ask(orders, 'GET', place)).status).toBe(200);
      }
    });

    test('for one area or one resource reach no other', async () => {
      const key = await create('--scope', 'crm/competitor', '--scope', 'sales:read');
      storedIn(await ask(key, 'POST', path, { competitor_name: 'One' }), 201);
      pageIn(await ask(key, 'GET', '/api/sales/order'));
      expectProblem(await ask(key, 'POST', '/api/sales/order', {}), 403, 'insufficient_scope');
      expectProblem(await ask(key, 'GET', '/api/crm/lead'), 403, 'insufficient_scope');
      // Any key may learn which routes exist.
      expectProblem(await ask(key, 'GET', '/api/crm/nothing'), 404, 'not_found');
      expectProblem(await ask(key, 'PUT', '/api/crm/lead'), 405, 'method_not_allowed');
      // A body that is announced and never sent: who waits for it never answers.
      const head = `POST /api/crm/lead HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
      const answer = await raw(one.port, `${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n`);
      expectProblem(parseRaw(answer), 403, 'insufficient_scope');
    });

    test('say what they are, with any scope', async () => {
      await done('organizations', 'create', 'asked');
      const scoped = await create('--organization', 'asked', '--scope', 'sales/order:read', '--scope', 'crm');
      const expiring = await create('--scope', '*:transition', '--expires', '90d');
      const [row] = await database.query(
        `select "expires_at" as "at" from "_api_key" where "id" = '${idIn(expiring)}'`,
      );
      const main = { organization: 'main', expires_at: null };
      for (const [key, name, expected] of [
        [scoped, 'test', { organization: 'asked', scopes: ['sales/order:read', 'crm'], expires_at: null }],
        [expiring, 'test', { ...main, scopes: ['*:transition'], expires_at: row?.['at'] }],
        [testKey, 'Key 1 of the server', { ...main, scopes: ['*'] }],
      ] as const) {
        const actor = idOfKey(key) ?? actorOf(key);
        for (const server of [one, many]) {
          const answer = await ask(key, 'GET', '/api/key', undefined, server);
          expect([answer.status, answer.body]).toEqual([200, { name, actor, ...expected }]);
        }
      }
      // A new name of the organization is known as soon as a revoked key is.
      await done('organizations', 'rename', 'asked', 'renamed');
      await expect
        .poll(async () => (await ask(scoped, 'GET', '/api/key')).body, { timeout: 5_000 })
        .toMatchObject({ organization: 'renamed' });
      expectProblem(await ask(scoped, 'GET', '/api/key?id=1'), 400, 'invalid_query');
      expectProblem(await ask(scoped, 'POST', '/api/key', {}), 405, 'method_not_allowed');
      expectProblem(await ask(newKey().key, 'GET', '/api/key'), 401, 'unauthorized');
    });

    test('over their rate are answered 429', async () => {
      const key = await create('--scope', 'crm:read', '--rate', '2/h');
      const answers = [await ask(key), await ask(key, 'POST', path, {}), await ask(key), await ask(key)];
      expect(answers.map(({ status }) => status)).toEqual([200, 403, 429, 429]);
      // Some seconds may have passed: there is one more after half an hour.
      const states = answers.map(({ headers }) =>
        String(headers.get('ratelimit')).replace(/1[78]\d\d$/, 'half an hour'),
      );
      expect(states).toEqual([1, 0, 0, 0].map((left) => `"default";r=${left};t=half an hour`));
      for (const answer of answers.slice(2)) {
        expectProblem(answer, 429, 'rate_limited');
        expect(answer.headers.get('retry-after')).toMatch(/^1[78]\d\d$/);
        expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=2;w=3600');
      }
      for (const free of ['/healthz', '/readyz', '/openapi.json'])
        expect((await ask(key, 'GET', free)).status).toBe(200);
      const { headers } = await one.request('GET', path);
      expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([null, null]);
    });

    test('over their rate are let through again', async () => {
      const key = await create('--scope', 'crm:read', '--rate', '1/s');
      const answers = await Promise.all(Array.from({ length: 30 }, () => ask(key)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
      await expect.poll(async () => (await ask(key)).status).toBe(200);
    });

    test('count a batch as one request', async () => {
      const key = await create('--scope', 'crm', '--rate', '2/h');
      const operation = { method: 'DELETE', path: `${path}/none` };
      const answer = await ask(key, 'POST', '/api/batch', { operations: Array.from({ length: 5 }, () => operation) });
      expectProblem(answer, 404, 'not_found');
      expect(answer.headers.get('ratelimit')).toBe('"default";r=1;t=1800');
    });

    test('that nobody has given out open nothing', async () => {
      const key = await create('--scope', '*');
      const other = await create('--scope', '*');
      const secret = key.slice(15);
      const wrong = [
        newKey().key,
        key.slice(0, 15) + other.slice(15),
        `${key}x`,
        ` ${key} ${key}`,
        key.toUpperCase(),
        key.slice(0, 14),
        secret,
        `s2s_'; drop table "_api_key"; --_${secret}`,
        `s2s_${'%'.repeat(10)}_${secret}`,
        `${key.slice(0, 4)}${'\u0131'.repeat(10)}${key.slice(14)}`,
        key.replace('_', '%5F'),
        `${key},${other}`,
        'x'.repeat(10_000),
      ];
      const answers = wrong.map(async (text) => {
        // As bytes: a client would refuse to send some of them.
        const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${text}\r\nConnection: close\r\n\r\n`;
        return expectProblem(parseRaw(await raw(one.port, head)), 401, 'unauthorized').detail;
      });
      expect(new Set(await Promise.all(answers))).toEqual(new Set(['The API key is not valid.']));
      const logged = one.output + many.output;
      for (const text of [secret, other.slice(15)]) expect(logged).not.toContain(text);
      expect((await ask(key)).status).toBe(200);
    });

    test('are named in the log by their ids', async () => {
      const key = await create('--organization', 'acme', '--scope', 'crm');
      await ask(key);
      const [row] = await database.query(
        `select "_organization" as "organization" from "_api_key" where "id" = '${idIn(key)}'`,
      );
      const fields = `"key":"${idIn(key)}","organization":${Number(row?.['organization'])}`;
      await expect.poll(() => one.output).toContain(fields);
    });

    test('the last use of each is stored, at a stop too', async () => {
      const [used, unused] = [await create('--scope', '*'), await create('--scope', '*')];
      await ask(used);
      const before = new Date().toISOString();
      expect(await one.stop()).toBe(0);
      const rows = await database.query(`select "id", "last_used_at" as "at" from "_api_key"`);
      const useOf = (key: string): unknown => rows.find(({ id }) => id === idIn(key))?.['at'];
      expect(useOf(unused)).toBeNull();
      expect(useOf(used)).toMatch(/^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(String(useOf(used)) <= before).toBe(true);
      await one.start();
      expect((await ask(used)).status).toBe(200);
    });
  });
}
