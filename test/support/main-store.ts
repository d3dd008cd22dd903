import { openPostgres as openPostgresStore } from '../../runtime/commands/open-postgres.ts';
import { openSqlite as openSqliteStore } from '../../runtime/commands/open-sqlite.ts';
import { mainOrganization } from '../../runtime/store/ddl.ts';
import type { Records, Store } from '../../runtime/store/store.ts';

/** A store and the records of its organization `main`, for tests that need no other. */
export type MainStore = Store & Records;

const withRecords = (store: Store): MainStore => Object.assign(store, store.of(mainOrganization));

export const openSqlite = async (...args: Parameters<typeof openSqliteStore>): Promise<MainStore> =>
  withRecords(await openSqliteStore(...args));

export const openPostgres = async (...args: Parameters<typeof openPostgresStore>): Promise<MainStore> =>
  withRecords(await openPostgresStore(...args));
