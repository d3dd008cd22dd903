import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

import type { Table } from '../../runtime/kernel/model/table.ts';
import { openPostgres } from './main-store.ts';

/** A PostgreSQL server whose user may create databases. */
export const serverUrl = process.env['TEST_POSTGRES_URL'] || 'postgres://postgres@127.0.0.1:5432/postgres';

/** A database of its own on a real PostgreSQL, of which nothing is left when its scope ends. */
export interface PostgresDatabase extends AsyncDisposable {
  readonly name: string;
  /** The DATABASE_URL of servers. */
  readonly url: string;
  /** Asks the engine itself, past any store. */
  query<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Opens a connection past any store, for transactions; it ends with its scope. */
  connect(): Promise<Client & AsyncDisposable>;
}

/** The content of a database that is new, or can be used again. */
interface Content {
  readonly tables: readonly Table[];
  /** The catalog, as `catalogOf` tells it. */
  readonly catalog: string;
  /** The statements that bring back the rows of a new database. */
  readonly restore: string;
}

/** A database that is not in use. One that has no content is empty. */
interface Idle {
  readonly name: string;
  readonly content: Content | undefined;
}

/** To create and drop databases and tables takes longer than most tests. */
const idle: Idle[] = [];

const prefix = `test_${process.pid}_`;

const urlOf = (name: string): string => Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;

/**
 * Makes a database.
 *
 * @param settings stand behind its name in `create database`
 * @param tables those it has; without them it is empty
 */
export async function createPostgres(settings = '', tables?: readonly Table[]): Promise<PostgresDatabase> {
  const isReused = settings === '';
  const { name, content } =
    (isReused && take(tables)) || (await fill((isReused && take()) || (await create(settings)), tables));
  const url = urlOf(name);
  // Tests ask often, and a connection costs more than most questions: one is kept, with its session.
  // A question meanwhile gets another.
  let kept: Client | undefined;
  const open = async (): Promise<Client> => {
    const client = new Client({ connectionString: url });
    // The server may end while the connection is idle: the next question opens another one.
    client.on('error', () => {});
    client.on('end', () => {
      if (kept === client) kept = undefined;
    });
    await client.connect();
    return client;
  };
  const query = async <Row>(sql: string, values?: unknown[]): Promise<Row[]> => {
    const last = kept;
    kept = undefined;
    const client = last ?? (await open());
    let isUsable = false;
    try {
      const rows = await rowsOf<Row>(client, sql, values);
      isUsable = true;
      return rows;
    } finally {
      if (isUsable && !kept) kept = client;
      else await client.end();
    }
  };
  return {
    name,
    url,
    query,
    connect: async () => {
      const client = new Client({ connectionString: url });
      await client.connect();
      return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
    },
    [Symbol.asyncDispose]: async () => {
      const isGivenBack = isReused && (await giveBack({ name, content }, query));
      await kept?.end();
      if (!isGivenBack) await drop(name);
    },
  };
}

function take(tables?: readonly Table[]): Idle | undefined {
  const index = idle.findIndex(({ content }) => content?.tables === tables);
  return index === -1 ? undefined : idle.splice(index, 1)[0];
}

async function create(settings: string): Promise<Idle> {
  const name = `${prefix}${randomBytes(6).toString('hex')}`;
  await withClient(serverUrl, async (server) => {
    await server.query(`create database ${name} ${settings}`);
    // Commits that wait for the disk would take most of the time of a test; no test stops this server.
    await server.query(`alter database ${name} set synchronous_commit = off`);
    // Deadlocks are found after a second if the user may not set this.
    await server.query(`alter database ${name} set deadlock_timeout = '100ms'`).catch(() => undefined);
  });
  return { name, content: undefined };
}

/** Makes the tables of an empty database. */
async function fill(database: Idle, tables: readonly Table[] | undefined): Promise<Idle> {
  if (!tables) return database;
  const { name } = database;
  await (await openPostgres(urlOf(name), tables, true)).close();
  return withClient(urlOf(name), async (client) => {
    const all = await client.query<{ table: string }>(
      `select quote_ident(relname) as "table" from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    const rows = all.rows.map(
      ({ table }) => `select '${table}' as "table", json_agg(t)::text as "rows" from ${table} as t`,
    );
    const kept = await client.query<{ table: string; rows: string }>(
      `select * from (${rows.join(' union all ')}) as kept where "rows" is not null`,
    );
    const restore = [
      ...all.rows.map(({ table }) => `delete from ${table}`),
      ...kept.rows.map(
        ({ table, rows: json }) =>
          `insert into ${table} select * from json_populate_recordset(null::${table}, ${client.escapeLiteral(json)})`,
      ),
    ].join('; ');
    return { name, content: { tables, catalog: (await catalogOf((sql) => rowsOf(client, sql))).catalog, restore } };
  });
}

/** Takes back a database that was made without settings. @returns whether it can be used again */
async function giveBack({ name, content }: Idle, query: PostgresDatabase['query']): Promise<boolean> {
  await query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  const { catalog, is_as_created: isAsCreated } = await catalogOf(query);
  if (!isAsCreated) return false;
  const isKept = content?.catalog === catalog;
  await query(
    isKept
      ? content.restore
      : 'drop schema public cascade; create schema public authorization pg_database_owner; grant usage on schema public to public',
  );
  idle.push({ name, content: isKept ? content : undefined });
  return true;
}

/** Changes with each change of the schema, with statistics, and if there was much data. */
async function catalogOf(query: PostgresDatabase['query']): Promise<{ catalog: string; is_as_created: boolean }> {
  const catalogs = ['class', 'attribute', 'attrdef', 'constraint', 'proc', 'trigger', 'type'];
  const versions = catalogs.map((name) => `(select count(*) || ' ' || sum(xmin::text::bigint) from pg_${name})`);
  const [row] = await query<{ catalog: string; is_as_created: boolean }>(
    `select concat_ws(' ', ${versions.join(', ')}, (select count(*) from pg_stats where schemaname = 'public'),
       pg_database_size(current_database()) > 30000000) as catalog,
       pg_get_userbyid(datdba) = current_user and (select count(*) from pg_namespace where nspname !~ '^pg_') = 2 and
         (select setconfig <@ '{synchronous_commit=off,deadlock_timeout=100ms}' from pg_db_role_setting where setdatabase = oid) as is_as_created
     from pg_database where datname = current_database()`,
  );
  return row!;
}

const drop = (name: string): Promise<unknown> => ask(serverUrl, `drop database if exists ${name} with (force)`);

/** Drops the databases of this process, at its end. */
export async function dropDatabases(): Promise<void> {
  const names = `select datname as name from pg_database where starts_with(datname, '${prefix}')`;
  const rows = await ask<{ name: string }>(serverUrl, names).catch(() => []);
  await Promise.all(rows.map(({ name }) => drop(name)));
}

export const ask = <Row>(url: string, sql: string, values?: unknown[]): Promise<Row[]> =>
  withClient(url, (client) => rowsOf(client, sql, values));

const rowsOf = async <Row>(client: Client, sql: string, values?: unknown[]): Promise<Row[]> =>
  (await client.query(sql, values)).rows as Row[];

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  // On a busy machine, a shorter time skips the tests of a server that is there.
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 60_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
