import { DatabaseSync } from 'node:sqlite';
import { CliError } from '../errors.ts';
import { literal, parentPrefix, quote, rowCounters } from '../store/ddl.ts';
import { primaryCode } from '../store/sqlite/failure.ts';
import { formatOf, valueOf } from '../store/sqlite/identity.ts';
import { formats, readSchema } from '../migrate/sqlite-schema.ts';

/** What a database that is whole holds. */
export interface Contents {
  readonly rows: number;
  readonly tables: number;
  /** Tables of which `_row_counter` says another number of rows than there are. */
  readonly miscounted: readonly string[];
}

/**
 * Reads all of a database file and checks it: whose it is, its pages and indexes, and its numbers of rows.
 *
 * @throws CliError when it is not ours or is damaged.
 */
export function checkFile(file: string): Contents {
  try {
    return readAll(file);
  } catch (error) {
    if (primaryCode(error) === undefined) throw error;
    throw new CliError((error as Error).message);
  }
}

function readAll(file: string): Contents {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const format = formatOf(database, file);
    if (format === undefined) throw new CliError('it holds no tables');
    const finding = valueOf(database, 'pragma integrity_check(1)');
    if (finding !== 'ok') throw new CliError(String(finding).split('\n').at(-1));
    const { tables, indexes, counted } = readSchema(database);
    let rows = 0;
    const miscounted: string[] = [];
    for (const name of tables.keys()) {
      if (name === rowCounters) continue;
      rows += Number(valueOf(database, `select count(*) from ${quote(name)}`));
      const parent = indexes.get(`${name}_by_parent`)?.[0];
      if (parent === undefined && !counted.has(name)) continue;
      // The older format is counted anew when a server opens it.
      if (format === formats.current && isMiscounted(database, name, parent)) miscounted.push(name);
    }
    return { rows, tables: tables.size - (tables.has(rowCounters) ? 1 : 0), miscounted };
  } finally {
    database.close();
  }
}

/** Whether `_row_counter` says another number of rows than there are; `parent` is the column by which line items are counted. */
export function isMiscounted(database: DatabaseSync, table: string, parent: string | undefined): boolean {
  const field = parent === undefined ? "''" : quote(parent);
  const found =
    `select ${field}, count(*) as "rows" from ${quote(table)} ` +
    (parent === undefined ? 'having "rows" > 0' : `where length(${field}) < ${parentPrefix} group by ${field}`);
  const kept =
    `select "parent", sum("count") as "rows" from ${quote(rowCounters)} ` +
    `where "table" = ${literal(table)} group by "parent" having "rows" <> 0`;
  const differs = (one: string, other: string): string =>
    `exists (select * from (${one}) except select * from (${other}))`;
  return valueOf(database, `select ${differs(found, kept)} or ${differs(kept, found)}`) === 1;
}
