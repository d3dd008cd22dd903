import type { Database } from '../../runtime/migrate/driver.ts';
import { withPostgres } from '../../runtime/migrate/postgres.ts';
import { withSqlite } from '../../runtime/migrate/sqlite.ts';
import { serviceName, type TestDatabase } from './databases.ts';

/** Runs `work` as a command does, on a connection of its own. */
export const administer = <T>(
  { url }: Pick<TestDatabase, 'url'>,
  work: (database: Database) => Promise<T>,
): Promise<T> =>
  url.startsWith('sqlite:')
    ? withSqlite(url.slice('sqlite:'.length), serviceName, 'write', work)
    : withPostgres(url, serviceName, work);
