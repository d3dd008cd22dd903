import {
  type Counted,
  idSuffix,
  mainOrganization,
  organizationColumn,
  quote,
  requiredColumns,
  rowCounters,
} from '../store/ddl.ts';

/** A column as the database has it. */
export interface ActualColumn {
  readonly type: string;
  /** An insert without it fails. */
  readonly isRequired: boolean;
  /** An id that has another collation than by bytes. */
  readonly isUnsorted?: boolean;
}

/** The schema of a database: the columns of each table and each index, by name. */
export interface ActualSchema {
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, ActualColumn>>;
  /** An index without columns: its concurrent creation has failed. */
  readonly indexes: ReadonlyMap<string, readonly string[]>;
  /** Tables with one row counter: those of records. */
  readonly counted: ReadonlySet<string>;
  /** The rows of `requiredColumns`. */
  readonly required: ReadonlySet<string>;
}

/** Queries of the system catalog. A flag that is not null is true. */
interface CatalogQueries {
  /** A row for each column, in the order of its table: table, name, type, `isRequired`, `isUnsorted`. */
  readonly columns: string;
  /** A row for each column of an index, in its order: index, name, null for an expression; whether its creation has failed. */
  readonly indexColumns: string;
}

/** The organization that is there from the start has a counter for each table of records. */
const mainCounters =
  `select distinct "table" from ${quote(rowCounters)} ` +
  `where ${quote(organizationColumn)} = ${mainOrganization} and "parent" = ''`;

/** Reads the schema of a database. */
export async function readActualSchema(
  query: (sql: string) => Promise<unknown[][]>,
  catalog: CatalogQueries,
): Promise<ActualSchema> {
  const tables = new Map<string, Map<string, ActualColumn>>();
  for (const [table, name, type, isRequired, isUnsorted] of await query(catalog.columns)) {
    tables
      .getOrInsertComputed(String(table), () => new Map())
      .set(String(name), { type: String(type), isRequired: isRequired !== null, isUnsorted: isUnsorted !== null });
  }
  const indexes = new Map<string, string[]>();
  for (const [index, column, isUnfinished] of await query(catalog.indexColumns)) {
    const columns = indexes.getOrInsertComputed(String(index), () => []);
    if (isUnfinished === null) columns.push(String(column ?? idSuffix));
  }
  const names = async (table: string, sql: string): Promise<Set<string>> =>
    new Set(tables.has(table) ? (await query(sql)).flat().map(String) : []);
  return {
    tables,
    indexes,
    counted: await names(rowCounters, mainCounters),
    required: await names(requiredColumns, `select "name" from ${quote(requiredColumns)} order by 1`),
  };
}

/** The tables with row counters, orphaned ones included. */
export const countedTables = ({ tables, indexes, counted }: ActualSchema): Counted[] =>
  [...tables.keys()].flatMap((name): Counted[] => {
    const field = indexes.get(`${name}_by_parent`)?.[1];
    if (field !== undefined) return [{ name, kind: 'line-item', parent: { field } }];
    return counted.has(name) ? [{ name, kind: 'record' }] : [];
  });
