import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, vi } from 'vitest';

import { ask, type PostgresDatabase, serverUrl } from './postgres-databases.ts';

export { createPostgres, type PostgresDatabase } from './postgres-databases.ts';

/** Why no PostgreSQL can be used here; undefined where one can. */
export const postgresMissing: string | undefined = await ask(serverUrl, 'select 1').then(
  () => undefined,
  // Not the URL: it may hold a password.
  (error: NodeJS.ErrnoException) =>
    `no PostgreSQL to test with (${error.code ?? error.message}); set TEST_POSTGRES_URL`,
);

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
