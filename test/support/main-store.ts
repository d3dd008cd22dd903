import { openPostgres as openPostgresStore } from '../../runtime/server/open-postgres.ts';
import { openSqlite as openSqliteStore } from '../../runtime/server/open-sqlite.ts';
import { mainOrganization } from '../../runtime/sql/schema.ts';
import type { Records, Store } from '../../runtime/records/store.ts';

/** A store and the records of its organization `main`, for tests that need no other. */
export type MainStore = Store & Records;

const withRecords = (store: Store): MainStore => Object.assign(store, store.of(mainOrganization));

export const openSqlite = async (...args: Parameters<typeof openSqliteStore>): Promise<MainStore> =>
  withRecords(await openSqliteStore(...args));

export const openPostgres = async (...args: Parameters<typeof openPostgresStore>): Promise<MainStore> =>
  withRecords(await openPostgresStore(...args));
