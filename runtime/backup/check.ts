import { DatabaseSync } from 'node:sqlite';
import { CliError } from '../errors.ts';
import { countedTables } from '../migrate/schema.ts';
import { isMiscounted, readSchema } from '../migrate/sqlite.ts';
import { quote, rowCounters } from '../store/ddl.ts';
import { primaryCode } from '../store/sqlite/failure.ts';
import { isClaimed, valueOf } from '../store/sqlite/identity.ts';

/** What a database that is whole holds. */
export interface Contents {
  readonly rows: number;
  readonly tables: number;
  /** Tables whose row counters are wrong. */
  readonly miscounted: readonly string[];
}

/**
 * Reads all of a database file and checks it: its owner, its pages and indexes, and its row counters.
 *
 * @throws CliError when it is not ours or is damaged.
 */
export function checkFile(file: string, service: string): Contents {
  try {
    return readAll(file, service);
  } catch (error) {
    if (primaryCode(error) === undefined) throw error;
    throw new CliError((error as Error).message);
  }
}

function readAll(file: string, service: string): Contents {
  using database = new DatabaseSync(file, { readOnly: true });
  if (!isClaimed(database, file, service)) throw new CliError('it holds no tables');
  const problem = valueOf(database, 'pragma integrity_check(1)');
  if (problem !== 'ok') throw new CliError(String(problem).split('\n').at(-1));
  const schema = readSchema(database);
  const tables = [...schema.tables.keys()].filter((name) => name !== rowCounters);
  const counts = tables.map((name) => Number(valueOf(database, `select count(*) from ${quote(name)}`)));
  const miscounted = countedTables(schema).filter((table) => isMiscounted(database, table));
  return {
    rows: counts.reduce((sum, count) => sum + count, 0),
    tables: tables.length,
    miscounted: miscounted.map(({ name }) => name),
  };
}
