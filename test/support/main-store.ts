import { openPostgres as openPostgresStore } from '../../runtime/server/open-postgres.ts';
import { openSqlite as openSqliteStore } from '../../runtime/server/open-sqlite.ts';
import { mainOrganization } from '../../runtime/sql/schema.ts';
import type { Records, Store } from '../../runtime/records/store.ts';

/** A store and the records of its organization `main`, for tests that need no other; it closes with its scope. */
export type MainStore = Store & Records & AsyncDisposable;

const methods = ['get', 'show', 'only', 'list', 'newest', 'write'] as const satisfies (keyof Records)[];

function withRecords(store: Store): MainStore {
  const records = store.of(mainOrganization);
  const bound = Object.fromEntries(methods.map((name) => [name, records[name].bind(records)]));
  return Object.assign(store, bound as unknown as Records, { [Symbol.asyncDispose]: () => store.close() });
}

export const openSqlite = async (...args: Parameters<typeof openSqliteStore>): Promise<MainStore> =>
  withRecords(await openSqliteStore(...args));

export const openPostgres = async (...args: Parameters<typeof openPostgresStore>): Promise<MainStore> =>
  withRecords(await openPostgresStore(...args));
