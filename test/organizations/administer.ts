import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../runtime/migrations/types.ts';
import { withPostgres } from '../../runtime/migrations/postgres.ts';
import { withSqlite } from '../../runtime/migrations/sqlite.ts';
import { createOrganization, findOrganization } from '../../runtime/features/organizations/organizations.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { serviceName, type TestDatabase } from '../support/databases.ts';
import { features } from '../../runtime/features.ts';

/** Runs `work` as a command does, on a connection of its own. */
export const administer = <T>(
  { url }: Pick<TestDatabase, 'url'>,
  work: (database: Database) => Promise<T>,
): Promise<T> =>
  url.startsWith('sqlite:')
    ? withSqlite(url.slice('sqlite:'.length), serviceName, 'write', work)
    : withPostgres(url, serviceName, work);

/** Creates an organization in a database that has these tables. @returns its id */
export const organizationOf = (database: TestDatabase, tables: readonly Table[], name: string): Promise<number> =>
  administer(database, async (connection) => {
    await createOrganization(features.list, connection, tables, name);
    const { id } = await findOrganization(connection, name);
    // The reads of one turn of the event loop share a snapshot, which may be older.
    await nextTurn();
    return id;
  });
