import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

import { migrateSchema } from '../../runtime/migrations/driver.ts';
import { withPostgres } from '../../runtime/migrations/postgres.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { features } from '../../runtime/features.ts';

/** A database on the coordinator of a Citus cluster that knows its nodes; its user may create databases on each of them. */
const givenUrl = process.env['TEST_CITUS_URL'];

/** Why no cluster can be used here; undefined where one can. */
export const citusMissing = givenUrl ? undefined : 'no cluster of Citus to test with; set TEST_CITUS_URL';

/** A database of its own on all nodes of the cluster, dropped when its scope ends. */
export interface CitusDatabase extends AsyncDisposable {
  /** The DATABASE_URL of each server: the coordinator is the first. */
  readonly urls: readonly string[];
  /** Asks the coordinator itself, past any store. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Migrates the database to the tables and distributes them. */
  migrate(tables: readonly Table[]): Promise<void>;
}

interface Node {
  readonly nodename: string;
  readonly nodeport: number;
  readonly groupid: number;
  readonly shouldhaveshards: boolean;
}

/** Makes an empty database in which Citus is set up as in the one of `clusterUrl`. */
export async function createCitus(clusterUrl = String(givenUrl), shards = 4): Promise<CitusDatabase> {
  // Each shard is a table, and tests have few rows.
  const options = new URLSearchParams({ options: `-c citus.shard_count=${shards}` });
  const nodes = await ask<Node>(
    clusterUrl,
    'select nodename, nodeport, groupid, shouldhaveshards from pg_dist_node where isactive order by groupid',
  );
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const urlOf = ({ nodename, nodeport }: Node, database: string): string => {
    const url = new URL(clusterUrl);
    url.host = `${nodename}:${nodeport}`;
    url.pathname = `/${database}`;
    return url.href;
  };
  const urls = nodes.map((node) => urlOf(node, name));
  const [coordinator = '', ...workers] = urls;
  await Promise.all(
    nodes.map(async (node) => {
      await ask(urlOf(node, 'postgres'), `create database ${name}`);
      await ask(urlOf(node, name), 'create extension citus');
    }),
  );
  // Nodes that are added to two databases at once clash: "tuple concurrently updated".
  await using turn = await connect(clusterUrl);
  await turn.query('select pg_advisory_lock(1)');
  for (const { nodename, nodeport, groupid, shouldhaveshards } of nodes) {
    const address = `'${nodename}', ${nodeport}`;
    const add = groupid === 0 ? `citus_set_coordinator_host(${address})` : `citus_add_node(${address})`;
    await ask(coordinator, `select ${add}`);
    await ask(coordinator, `select citus_set_node_property(${address}, 'shouldhaveshards', ${shouldhaveshards})`);
  }
  return {
    urls: [coordinator, ...workers],
    query: (sql) => ask(coordinator, sql),
    migrate: (tables) =>
      withPostgres(`${coordinator}?${options}`, 'tests', async (database) => {
        await migrateSchema(features.list, database, tables, { incompatible: true });
        // Tests of the kernel run without the feature, too.
        const { planDistribution } = await import('../../runtime/features/citus/distribute.ts');
        for (const step of await planDistribution(features.list, database, tables)) {
          await database.attempt(() => database.apply(step));
        }
      }),
    async [Symbol.asyncDispose]() {
      for (const node of nodes.toReversed()) {
        await ask(urlOf(node, 'postgres'), `drop database if exists ${name} with (force)`);
      }
    },
  };
}

async function connect(url: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

async function ask<Row>(url: string, sql: string): Promise<Row[]> {
  await using client = await connect(url);
  return (await client.query(sql)).rows as Row[];
}
