import { features } from '../../runtime/features.ts';
import type { Features } from '../../runtime/kernel/feature.ts';
import { openPostgres as openPostgresStore } from '../../runtime/server/open-postgres.ts';
import { openSqlite as openSqliteStore } from '../../runtime/server/open-sqlite.ts';
import { mainOrganization } from '../../runtime/kernel/sql/schema.ts';
import type { Records, Store } from '../../runtime/kernel/records/store.ts';

/** A store and the records of its organization `main`, for tests that need no other; it closes with its scope. */
export type MainStore = Store & Records & AsyncDisposable;

const methods = ['get', 'show', 'only', 'list', 'newest', 'write', 'ask'] as const satisfies (keyof Records)[];

function withRecords(store: Store): MainStore {
  const records = store.of(mainOrganization);
  const bound = Object.fromEntries(methods.map((name) => [name, records[name].bind(records)]));
  return Object.assign(store, bound as unknown as Records, {
    tables: records.tables,
    [Symbol.asyncDispose]: () => store.close(),
  });
}

/** The arguments of a function behind those features that it takes first. */
type ArgumentsOf<F> = F extends (features: Features, ...rest: infer Rest) => unknown ? Rest : never;

export const openSqlite = async (...args: ArgumentsOf<typeof openSqliteStore>): Promise<MainStore> =>
  withRecords(await openSqliteStore(features, ...args));

export const openPostgres = async (...args: ArgumentsOf<typeof openPostgresStore>): Promise<MainStore> =>
  withRecords(await openPostgresStore(features, ...args));

/** The JSON of a record; undefined if there is none. */
export async function jsonOf(records: Records, table: string, id: string): Promise<string | undefined> {
  const record = await records.get(table, id);
  return record && String(record.json);
}

/** The JSON of the one record of a singleton. */
export const onlyJson = async (records: Records, table: string): Promise<string> =>
  String((await records.only(table)).json);
