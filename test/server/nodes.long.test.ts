import { afterAll, beforeAll, expect, test } from 'vitest';

import { runInProcess } from './in-process.ts';
import { service } from '../service/generated/app.ts';
import { describeEngine, postgres } from '../support/databases.ts';
import { createTwoNodes, type TwoNodes } from '../support/nodes.ts';
import { type Answer, TestServer, testKey } from '../support/server.ts';

const leads = '/api/crm/lead';
const settings = '/api/billing/billing-settings';

describeEngine(postgres, 'a server on a cluster of nodes', () => {
  let nodes: TwoNodes;
  let server: TestServer;
  /** Keys of an organization on the node that is not that of `DATABASE_URL`. */
  const keys: string[] = [];

  /** Runs a command, past the nodes. @returns what it prints */
  async function run(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runInProcess(service, { DATABASE_URL: nodes.database.url }, ...args);
    expect(code, stderr).toBe(0);
    return stdout.trim();
  }

  const ask = (key: string | undefined, method = 'GET', path = leads, body?: unknown): Promise<Answer> =>
    server.request(method, path, body, { authorization: `Bearer ${key}` });

  /** Asks until an answer has this status, or a time is over. @returns the last status */
  async function statusUntil(expected: number, milliseconds: number, key = keys[0]): Promise<number> {
    for (const end = performance.now() + milliseconds; ;) {
      const { status } = await ask(key);
      if (status === expected || performance.now() > end) return status;
    }
  }

  beforeAll(async () => {
    nodes = await createTwoNodes();
    server = new TestServer({ env: { DATABASE_URL: nodes.url } });
    await server.start();
    await run('organizations', 'create', 'acme');
    const options = ['--organization', 'acme', '--name', 'test', '--scope', '*'];
    for (let n = 0; n < 20; n++) keys.push(await run('keys', 'create', ...options));
  }, 60_000);

  afterAll(async () => {
    await server?.close();
    await nodes?.[Symbol.asyncDispose]();
  });

  test('sends each request to the node of its organization, the first one too', async () => {
    const { home, other } = nodes;
    expect((await ask(testKey)).status).toBe(200);
    const answers = { home: 0, other: 0 };
    other.onAnswer = () => answers.other++;
    expect((await ask(keys[0])).status).toBe(200);
    expect(answers.other).toBeGreaterThan(0);
    home.onAnswer = () => answers.home++;
    for (let n = 0; n < 5; n++) await ask(keys[0], 'POST', leads, { lead_name: 'x' });
    // At most the look for the key.
    expect(answers.home).toBeLessThan(3);
  });

  test('looks keys that are used all the time up together', async () => {
    let answers = 0;
    for (const node of [nodes.home, nodes.other]) node.onAnswer = () => answers++;
    const used = keys.slice(0, 18);
    for (const key of used) await ask(key, 'GET', '/api/none');
    answers = 0;
    for (const end = performance.now() + 2_500; performance.now() < end;) {
      // One after the other: statements that are sent together are answered together.
      for (const key of used) expect((await ask(key, 'GET', '/api/none')).status).toBe(404);
    }
    // Each by itself would be looked up twice at least.
    expect(answers).toBeLessThan(20);
  });

  test.each([
    ['is cut off', 18],
    ['is silent', 19],
  ])('asks another node about keys while that of DATABASE_URL %s', async (state, place) => {
    const { home } = nodes;
    const revoked = keys[place];
    for (const key of [keys[0], revoked]) expect((await ask(key)).status).toBe(200);
    if (state === 'is silent') home.fallSilent();
    else await home.cut();
    // For longer than a server knows any key.
    expect(await statusUntil(503, 1_500)).toBe(200);
    expect((await ask(keys[0], 'POST', leads, { lead_name: 'x' })).status).toBe(201);
    expect((await server.request('GET', '/readyz')).status).toBe(200);
    await run('keys', 'revoke', String(revoked));
    expect(await statusUntil(401, 2_000, revoked)).toBe(401);
    if (state === 'is silent') home.speak();
    else await home.open();
    expect((await ask(testKey)).status).toBe(200);
  });

  test('lets requests that wait for a node which cannot be reached hold up no organization of another one', async () => {
    const { id } = (await ask(keys[0], 'POST', leads, { lead_name: 'a' })).body as { id: string };
    const own = (await ask(testKey, 'POST', leads, { lead_name: 'b' })).body as { id: string };
    await nodes.other.cut();
    // Requests that the node of DATABASE_URL passes on wait, as if the other one were frozen.
    await using lock = await nodes.database.connect();
    await lock.query(`begin; select from lead where id = '${id}' for update`);
    let over = 0;
    const waiting = Array.from({ length: 20 }, () =>
      ask(keys[0], 'PATCH', `${leads}/${id}`, { lead_name: 'c' }).finally(() => over++),
    );
    const blocked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await nodes.database.query(blocked)).length).toBeGreaterThan(2);
    for (let n = 0; n < 10; n++) {
      const answer = await ask(testKey, 'PATCH', `${leads}/${own.id}`, { lead_name: `b${n}` });
      expect([answer.status, over]).toEqual([200, 0]);
    }
    await lock.query('commit');
    await nodes.other.open();
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('starts while a node does not answer, and adds rows that are missing when it does', async () => {
    const { id } = (await ask(keys[0], 'POST', leads, { lead_name: 'a' })).body as { id: string };
    const { database } = nodes;
    await database.query(`
      insert into pg_catalog.pg_dist_partition values ('"_row_counter"');
      delete from billing_settings where "_organization" = 1`);
    const isThere = async (): Promise<boolean> => (await ask(testKey, 'GET', settings)).status === 200;
    await using lock = await database.connect();
    await lock.query('begin; lock table "_row_counter", billing_settings in access exclusive mode');
    await server.restart();
    expect((await server.request('GET', '/readyz')).status).toBe(200);
    expect((await ask(keys[0], 'GET', `${leads}/${id}`)).status).toBe(200);
    await lock.query('commit');
    await expect.poll(isThere, { timeout: 10_000 }).toBe(true);
  }, 30_000);
});
