import { createPostgres, type PostgresDatabase } from './postgres.ts';
import { Proxy } from './proxy.ts';

/** A database that servers take for a Citus cluster of two nodes. Both are proxies to it: they can be cut, or go silent. */
export interface TwoNodes extends AsyncDisposable {
  readonly database: PostgresDatabase;
  /** The node of `DATABASE_URL`, with the organizations of odd ids, like `main`. */
  readonly home: Proxy;
  /** The node of the others. */
  readonly other: Proxy;
  /** The URL of `home`. */
  readonly url: string;
}

/** The part of the catalog of Citus by which nodes are found (https://docs.citusdata.com/en/stable/develop/api_metadata.html). */
const catalogOf = (home: Proxy, other: Proxy): string => `
  set allow_system_table_mods = on;
  update pg_extension set extname = 'citus' where extname = 'plpgsql';
  create table pg_catalog.pg_dist_partition (logicalrelid regclass);
  create table pg_catalog.pg_dist_local_group as select 0 as groupid;
  create table pg_catalog.pg_dist_placement as select 1::bigint as shardid, 0 as groupid union all select 0, 1;
  create table pg_catalog.pg_dist_node as select 0 as groupid, '127.0.0.1' as nodename, ${home.port} as nodeport, 'primary' as noderole
    union all select 1, '127.0.0.1', ${other.port}, 'primary';
  create function pg_catalog.get_shard_id_for_distribution_column(text, bigint) returns bigint
    language sql as 'select $2 % 2'`;

export async function createTwoNodes(): Promise<TwoNodes> {
  await using made = new AsyncDisposableStack();
  // Its catalog serves no other test.
  const database = made.use(await createPostgres('template template0'));
  const url = new URL(database.url);
  const [home, other] = ['home', 'other'].map(() => made.use(new Proxy(url.hostname, Number(url.port || 5432)))) as [
    Proxy,
    Proxy,
  ];
  await home.open();
  await other.open();
  await database.query(catalogOf(home, other));
  url.host = `127.0.0.1:${home.port}`;
  const all = made.move();
  return { database, home, other, url: url.href, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
