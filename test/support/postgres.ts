import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Client } from 'pg';
import { describe, vi } from 'vitest';

/** A PostgreSQL server whose user may create databases. */
const serverUrl = process.env['TEST_POSTGRES_URL'] || 'postgres://postgres@127.0.0.1:5432/postgres';

/** A database of its own on a real PostgreSQL, dropped when its scope ends. */
export interface PostgresDatabase extends AsyncDisposable {
  readonly name: string;
  /** The DATABASE_URL of servers. */
  readonly url: string;
  /** Asks the engine itself, past any store. */
  query<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Opens a connection past any store, for transactions; it ends with its scope. */
  connect(): Promise<Client & AsyncDisposable>;
}

/** Why no PostgreSQL can be used here; undefined where one can. */
export const postgresMissing: string | undefined = await ask(serverUrl, 'select 1').then(
  () => undefined,
  // Not the URL: it may hold a password.
  (error: NodeJS.ErrnoException) =>
    `no PostgreSQL to test with (${error.code ?? error.message}); set TEST_POSTGRES_URL`,
);

/** Makes an empty database; `settings` stand behind its name in `create database`. */
export async function createPostgres(settings = ''): Promise<PostgresDatabase> {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const server = new Client({ connectionString: serverUrl });
  await server.connect();
  try {
    await server.query(`create database ${name} ${settings}`);
    // Commits that wait for the disk would take most of the time of a test; no test stops this server.
    await server.query(`alter database ${name} set synchronous_commit = off`);
    // Deadlocks are found after a second if the user may not set this.
    await server.query(`alter database ${name} set deadlock_timeout = '100ms'`).catch(() => undefined);
  } finally {
    await server.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    query: (sql, values) => ask(url.href, sql, values),
    connect: async () => {
      const client = new Client({ connectionString: url.href });
      await client.connect();
      return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
    },
    [Symbol.asyncDispose]: async () => {
      await ask(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Waits until a connection waits for a lock. */
export async function untilBlocked(database: PostgresDatabase): Promise<void> {
  const blocked = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await vi.waitUntil(async () => (await database.query(blocked)).length > 0, { timeout: 10_000, interval: 10 });
}

/** A `describe` that is skipped, and says why, where there is no PostgreSQL. Its tests, which mostly wait, run side by side. */
export function describePostgres(name: string, tests: () => void): void {
  if (postgresMissing === undefined) {
    describe.concurrent(name, tests);
  } else {
    console.warn(`Skipped: ${name}: ${postgresMissing}.`);
    describe.skip(`${name} (${postgresMissing})`, tests);
  }
}

/** The account for PostgreSQL and its tools if the tests run as root, which they refuse. */
export const unprivilegedAccount = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ['-u', '-g'].map((what) => Number(execFileSync('id', [what, 'postgres'], { stdio: 'pipe' })));
  return { uid: uid as number, gid: gid as number };
};

/** A free port. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function ask<Row>(url: string, sql: string, values?: unknown[]): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as Row[];
  } finally {
    await client.end();
  }
}
