import {
  type Counted,
  idSuffix,
  mainOrganization,
  organizationColumn,
  quote,
  requiredColumns,
  rowCounters,
} from '../sql/schema.ts';

/** A column as the database has it. */
export interface ActualColumn {
  readonly type: string;
  /** An insert without it fails. */
  readonly isRequired: boolean;
  /** An id that has another collation than by bytes. */
  readonly isUnsorted?: boolean;
  /** The expression of its default, where the engine must be told it again. */
  readonly default?: string;
}

/** The schema of a database: the columns of each table and each index, by name. */
export interface ActualSchema {
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, ActualColumn>>;
  /** An index without columns: its concurrent creation has failed, or is under way. */
  readonly indexes: ReadonlyMap<string, readonly string[]>;
  /** Tables with one row counter: those of records. */
  readonly counted: ReadonlySet<string>;
  /** The rows of `requiredColumns`. */
  readonly required: ReadonlySet<string>;
}

/** Queries of the system catalog. A flag that is not null is true. */
interface CatalogQueries {
  /** A row for each column, in the order of its table: table, name, type, `isRequired`, `isUnsorted`, `default`. */
  readonly columns: string;
  /** A row for each column of an index, in its order: index, name, null for an expression; whether it is unfinished. */
  readonly indexColumns: string;
}

/** Tables of records: the organization that is there from the start has a counter for each, and was the only one before. */
const mainCounters = (columns: ReadonlyMap<string, unknown>): string =>
  `select distinct "table" from ${quote(rowCounters)} where "parent" = ''` +
  (columns.has(organizationColumn) ? ` and ${quote(organizationColumn)} = ${mainOrganization}` : '');

/** Reads the schema of a database. */
export async function readActualSchema(
  query: (sql: string) => Promise<unknown[][]>,
  catalog: CatalogQueries,
): Promise<ActualSchema> {
  const tables = new Map<string, Map<string, ActualColumn>>();
  for (const [table, name, type, isRequired, isUnsorted, value] of await query(catalog.columns)) {
    tables
      .getOrInsertComputed(String(table), () => new Map())
      .set(String(name), {
        type: String(type),
        isRequired: isRequired !== null,
        isUnsorted: isUnsorted !== null,
        ...(value !== null && { default: String(value) }),
      });
  }
  const indexes = new Map<string, string[]>();
  for (const [index, column, isUnfinished] of await query(catalog.indexColumns)) {
    const columns = indexes.getOrInsertComputed(String(index), () => []);
    if (isUnfinished === null) columns.push(String(column ?? idSuffix));
  }
  const names = async (sql: string): Promise<Set<string>> => new Set((await query(sql)).flat().map(String));
  const counters = tables.get(rowCounters);
  return {
    tables,
    indexes,
    counted: counters ? await names(mainCounters(counters)) : new Set(),
    required: tables.has(requiredColumns)
      ? await names(`select "name" from ${quote(requiredColumns)} order by 1`)
      : new Set(),
  };
}

/** The tables with row counters, orphaned ones included, but not those of a version without organizations. */
export const countedTables = ({ tables, indexes, counted }: ActualSchema): Counted[] =>
  [...tables].flatMap(([name, columns]): Counted[] => {
    if (!columns.has(organizationColumn)) return [];
    const field = indexes.get(`${name}_by_parent`)?.[1];
    if (field !== undefined) return [{ name, kind: 'line-item', parent: { field } }];
    return counted.has(name) ? [{ name, kind: 'record' }] : [];
  });
