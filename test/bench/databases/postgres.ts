import { Client, escapeIdentifier } from 'pg';

import { cpuOf, othersVisible } from '../processes.ts';
import type { Database, Engine, Session } from './database.ts';

/** The server that is measured on: where it is needed, databases of its own are made there. */
export const postgresUrl = process.env['TEST_POSTGRES_URL'] || 'postgres://postgres@127.0.0.1:5432/postgres';

/** Connects to a database of that server. */
export async function connectTo(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000, application_name: 'bench' });
  await client.connect();
  return client;
}

/**
 * PostgreSQL, on a server that is there already.
 *
 * @throws Error where it cannot be reached.
 */
export async function postgresEngine(): Promise<Engine> {
  const admin = await connectTo(postgresUrl);
  const { rows } = await admin.query<Record<string, string>>(
    `select current_setting('server_version') as version, current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as synchronous`,
  );
  const { version = '', fsync, synchronous } = rows[0] ?? {};
  const durable = fsync === 'on' && synchronous !== 'off';
  const made = new Set<PostgresDatabase>();
  return {
    name: 'PostgreSQL',
    place: `PostgreSQL ${version.split(' ')[0]} on ${new URL(postgresUrl).host}${durable ? '' : ' (not durable as it is set)'}`,
    database(name, kept = false) {
      const database = new PostgresDatabase(admin, `records_bench_${kept ? 'kept' : process.pid}_${name}`);
      if (!kept) made.add(database);
      return database;
    },
    async [Symbol.asyncDispose]() {
      for (const database of made) await database.drop();
      await admin.end();
    },
  };
}

class PostgresDatabase implements Database {
  readonly url: string;
  readonly #name: string;
  readonly #admin: Client;

  constructor(admin: Client, name: string) {
    const url = new URL(postgresUrl);
    url.pathname = `/${name}`;
    this.url = url.href;
    this.#name = name;
    this.#admin = admin;
  }

  async exists(): Promise<boolean> {
    const { rowCount } = await this.#admin.query('select 1 from pg_database where datname = $1', [this.#name]);
    return rowCount === 1;
  }

  async create(): Promise<void> {
    await this.#admin.query(`create database ${escapeIdentifier(this.#name)}`);
  }

  async copyTo(other: PostgresDatabase): Promise<void> {
    const names = `${escapeIdentifier(other.#name)} template ${escapeIdentifier(this.#name)}`;
    // As files: through the log it would all be written twice.
    await this.#admin.query(`create database ${names} strategy file_copy`);
  }

  async drop(): Promise<void> {
    await this.#admin.query(`drop database if exists ${escapeIdentifier(this.#name)} with (force)`);
  }

  fill(work: (session: Session) => Promise<void>): Promise<void> {
    return this.#connected(async (client) => {
      await client.query('set synchronous_commit = off');
      await work({
        async run(sql, parameter) {
          await client.query(sql, parameter === undefined ? [] : [parameter]);
        },
        rowsOf(columns) {
          const fields = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
          return `json_to_recordset($1::json) as fields (${fields.join(', ')})`;
        },
      });
    });
  }

  tidyUp(): Promise<void> {
    return this.#connected(async (client) => {
      await client.query('vacuum (freeze, analyze)');
      await client.query('checkpoint');
    });
  }

  async cpu(): Promise<number | undefined> {
    if (!othersVisible) return undefined;
    const { rows } = await this.#admin.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
      [this.#name],
    );
    // A server on another machine has other processes under these numbers.
    const local = ['127.0.0.1', 'localhost', '::1', ''].includes(new URL(this.url).hostname);
    return local ? rows.reduce((sum, { pid }) => sum + cpuOf(pid), 0) : undefined;
  }

  async #connected(work: (client: Client) => Promise<void>): Promise<void> {
    const client = await connectTo(this.url);
    await work(client).finally(() => client.end());
  }
}
