// The worker thread of `copyDatabase`: reads all of a file, while the main thread handles signals.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { CliError } from '../errors.ts';
import { countedTables } from '../migrate/schema.ts';
import { isMiscounted, readSchema } from '../migrate/sqlite.ts';
import { quote, rowCounters } from '../store/ddl.ts';
import { primaryCode } from '../store/sqlite/failure.ts';
import { isClaimed, valueOf } from '../store/sqlite/identity.ts';

/** The contents of an intact database. */
export interface Contents {
  readonly rows: number;
  readonly tables: number;
  /** Tables whose row counters are wrong. */
  readonly miscounted: readonly string[];
}

/** A message of this thread: the contents of the file, or the reason why it is not intact. */
export type CheckResult = { readonly contents: Contents } | { readonly reason: string };

/** Checks the owner of a file, its pages and indexes, and its row counters. @throws CliError if it is foreign or damaged */
function checkFile(file: string, service: string): Contents {
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

function check(file: string, service: string): CheckResult {
  try {
    return { contents: checkFile(file, service) };
  } catch (error) {
    if (error instanceof CliError || primaryCode(error) !== undefined) return { reason: (error as Error).message };
    throw error;
  }
}

// Ports of worker threads have no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(check(...(workerData as [file: string, service: string])));
