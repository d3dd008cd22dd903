import type { Column, Table } from '../kernel/model/table.ts';
import { idSuffix, mainOrganization, organizationColumn, quote, rowCounters } from '../kernel/sql/schema.ts';
import { definedName } from './missing-columns.ts';
import type { ActualSchema } from './types.ts';
import { definitionsOf, kernelTables, requiredColumns } from './own-tables.ts';

/** Queries of the system catalog. */
interface CatalogQueries {
  /** A row for each column, in the order of its table: table, name and type. */
  readonly columns: string;
  /** A row for each column of an index, in its order: index, name, null for an expression; whether it is unfinished. */
  readonly indexColumns: string;
  /** A row for each foreign key: its name, table, column beside the organization, and target; whether it is not checked yet. */
  readonly foreignKeys: string;
}

/** Tables of records: `main` has a counter for each from the start. */
const selectCounted =
  `select distinct "table" from ${quote(rowCounters)} ` +
  `where "parent" = '' and ${quote(organizationColumn)} = ${mainOrganization}`;

const selectRequired = `select "name" from ${quote(requiredColumns)} order by 1`;

/** Reads the schema of a database. @param queryCounters returns undefined while the node of the rows does not answer */
export async function readActualSchema(
  query: (sql: string) => Promise<unknown[][]>,
  catalog: CatalogQueries,
  queryCounters: (sql: string) => Promise<unknown[][] | undefined> = query,
): Promise<ActualSchema> {
  const tables = new Map<string, Map<string, string>>();
  for (const [table, name, type] of await query(catalog.columns)) {
    tables.getOrInsertComputed(String(table), () => new Map()).set(String(name), String(type));
  }
  const indexes = new Map<string, string[]>();
  for (const [index, column, isUnfinished] of await query(catalog.indexColumns)) {
    const columns = indexes.getOrInsertComputed(String(index), () => []);
    if (isUnfinished === null) columns.push(String(column ?? idSuffix));
  }
  // A table of another program, or of a very old version, refuses the migration later.
  const isComplete = (table: string): boolean =>
    kernelTables
      .filter(({ name }) => name === table)
      .flatMap(definitionsOf)
      .every((column) => tables.get(table)?.has(definedName(column)));
  const names = (rows: unknown[][]): Set<string> => new Set(rows.flat().map(String));
  const counters = isComplete(rowCounters) ? await queryCounters(selectCounted) : undefined;
  const foreignKeys = (await query(catalog.foreignKeys)).map(([name, table, column, target, isUnchecked]) => ({
    name: String(name),
    table: String(table),
    column: String(column),
    target: String(target),
    isValid: isUnchecked === null,
  }));
  const required = names(isComplete(requiredColumns) ? await query(selectRequired) : []);
  return { tables, indexes, foreignKeys, counted: counters && names(counters), required };
}

/** Desired tables or columns by their names in the database: that may be a former one, if no other is to have it. */
export const byActualName = <T extends Pick<Table | Column, 'name' | 'renamedFrom'>>(
  desired: readonly T[],
  actual: ReadonlyMap<string, unknown>,
): Map<string, T> =>
  new Map(
    desired.map((named) => {
      const { name, renamedFrom = [] } = named;
      const isFormer = (other: string) => actual.has(other) && !desired.some((one) => one.name === other);
      return [(actual.has(name) ? undefined : renamedFrom.find(isFormer)) ?? name, named];
    }),
  );
