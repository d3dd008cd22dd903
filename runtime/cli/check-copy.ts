// The worker thread of `copyDatabase`: checks the owner of a file, its pages and indexes, and its row counters, while the main
// thread handles signals. Its message is the contents of the file. It throws CliError or an error of SQLite if the file is
// foreign or damaged.
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { CliError } from '../model/errors.ts';
import { countedTables } from '../migrations/schema.ts';
import { SqliteDatabase } from '../migrations/sqlite.ts';
import { isHelperTable, quote } from '../sql/schema.ts';
import { isClaimed, valueOf } from '../sqlite/identity.ts';

/** The contents of an intact database. */
export interface Contents {
  readonly bytes: number;
  readonly rows: number;
  readonly tables: number;
  /** Tables whose row counters are wrong. */
  readonly miscounted: readonly string[];
}

async function readContents(file: string, service: string): Promise<Contents> {
  using connection = new DatabaseSync(file, { readOnly: true });
  if (!isClaimed(connection, file, service)) throw new CliError('it holds no tables');
  const problem = valueOf(connection, 'pragma integrity_check(1)');
  if (problem !== 'ok') throw new CliError(String(problem).split('\n').at(-1));
  const database = new SqliteDatabase(connection);
  const { actual } = await database.readSchema();
  const tables = [...actual.tables.keys()].filter((name) => !isHelperTable(name));
  const counts = tables.map((name) => Number(valueOf(connection, `select count(*) from ${quote(name)}`)));
  const miscounted: string[] = [];
  for (const table of countedTables(actual)) if (await database.isMiscounted(table)) miscounted.push(table.name);
  const bytes = statSync(file).size;
  return { bytes, rows: counts.reduce((sum, count) => sum + count, 0), tables: tables.length, miscounted };
}

const [file, service] = workerData as [file: string, service: string];
// Ports of worker threads have no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(await readContents(file, service));
