import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { End } from './command.ts';
import { runInProcess } from './in-process.ts';
import { service } from '../service/generated/app.ts';
import { type CitusDatabase, citusMissing, createCitus } from '../support/citus.ts';
import { Proxy } from '../support/proxy.ts';
import { startServer, testKey } from '../support/server.ts';

if (citusMissing !== undefined) console.warn(`Skipped: nodes of Citus that are away: ${citusMissing}.`);

const settings = '/api/billing/billing-settings';

describe.skipIf(citusMissing !== undefined)('while a node of Citus', () => {
  let database: CitusDatabase;
  /** The node with the rows of `main`, and no coordinator. */
  let node: Proxy;
  /** A key of an organization on another node. */
  let key: string;

  const run = (...args: string[]): Promise<End> =>
    runInProcess(service, { DATABASE_URL: database.urls[0] as string }, ...args);

  const nodeOf = async (organization: number): Promise<Record<string, unknown>> => {
    const [row] = await database.query(
      `select n.* from pg_dist_placement p join pg_dist_node n using (groupid)
       where shardid = get_shard_id_for_distribution_column('_row_counter', ${organization})`,
    );
    return row as Record<string, unknown>;
  };

  beforeAll(async () => {
    database = await createCitus();
    await database.migrate(service.tables);
    const [worker] = await database.query('select * from pg_dist_node where groupid > 0 limit 1');
    const { nodeid, nodename, nodeport, groupid } = worker as Record<string, unknown>;
    const home = await nodeOf(1);
    if (home['groupid'] !== groupid) {
      const shard = `get_shard_id_for_distribution_column('_row_counter', 1)`;
      const places = `'${home['nodename']}', ${home['nodeport']}, '${nodename}', ${nodeport}`;
      await database.query(`select citus_move_shard_placement(${shard}, ${places}, 'block_writes')`);
    }
    node = new Proxy(String(nodename), Number(nodeport));
    await node.open();
    await database.query(`select citus_update_node(${nodeid}, '127.0.0.1', ${node.port})`);
    for (let n = 2; ; n++) {
      const name = `organization-${n}`;
      expect(await run('organizations', 'create', name)).toMatchObject({ code: 0 });
      if ((await nodeOf(n))['groupid'] === groupid) continue;
      const made = await run('keys', 'create', '--organization', name, '--name', 'test', '--scope', '*');
      key = made.stdout.trim();
      break;
    }
  }, 120_000);

  afterAll(async () => {
    await node?.open().catch(() => undefined);
    await database?.[Symbol.asyncDispose]();
    await node?.[Symbol.asyncDispose]();
  }, 60_000);

  test.each(['is cut off', 'is silent'])(
    '%s, a server starts, and adds rows that are missing later',
    async (state) => {
      await database.query('delete from "billing_settings" where "_organization" = 1');
      if (state === 'is silent') node.fallSilent();
      else await node.cut();
      await using server = await startServer({ env: { DATABASE_URL: database.urls[0] as string }, alone: true });
      const ask = async (of: string): Promise<number> =>
        (await server.request('GET', settings, undefined, { authorization: `Bearer ${of}` })).status;
      expect(await ask(key)).toBe(200);
      expect((await server.request('GET', '/readyz')).status).toBe(200);
      expect(await ask(testKey)).toBe(503);
      expect(await ask(key)).toBe(200);
      if (state === 'is silent') node.speak();
      else await node.open();
      await expect.poll(() => ask(testKey), { timeout: 60_000, interval: 100 }).toBe(200);
    },
    120_000,
  );

  test('is cut off, a command that needs all nodes says so', async () => {
    await node.cut();
    const end = await run('keys', 'revoke', key.slice(0, 14));
    await node.open();
    expect(end.code).toBe(1);
    expect(end.stderr).toContain('all nodes must answer');
    expect(end.stderr).not.toContain('schema:');
    expect(await run('keys', 'revoke', key.slice(0, 14))).toMatchObject({ code: 0 });
  }, 60_000);
});
