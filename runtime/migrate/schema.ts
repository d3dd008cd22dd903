import { type Counted, idSuffix, quote, rowCounters } from '../store/ddl.ts';

/** A column as the database has it. */
export interface ActualColumn {
  readonly type: string;
  /** An insert without it fails. */
  readonly isRequired: boolean;
}

/** The schema of a database: the columns of each table and each index, by name. */
export interface ActualSchema {
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, ActualColumn>>;
  readonly indexes: ReadonlyMap<string, readonly string[]>;
  /** Tables with one row counter: those of records. */
  readonly counted: ReadonlySet<string>;
  /** Indexes whose concurrent creation has failed. */
  readonly unfinished?: ReadonlySet<string>;
  /** Tables whose ids have another collation than by bytes. */
  readonly unsorted?: ReadonlySet<string>;
}

/** A row for each column, in the order of its table; a flag that is not null is true. */
export type ColumnRow = [table: string, name: string, type: string, isRequired: unknown, isUnsorted: unknown];

/** A row for each column of an index, in its order; an expression has no name. */
export type IndexRow = [index: string, column: string | null, isUnfinished: unknown];

/** A query for `ActualSchema.counted`. */
export const selectCounted = `select distinct "table" from ${quote(rowCounters)} where "parent" = ''`;

/** Builds a schema from rows of the system catalog and the result of `selectCounted`. */
export function schemaOf(
  columns: readonly ColumnRow[],
  indexColumns: readonly IndexRow[],
  counted: readonly unknown[][],
): ActualSchema {
  const tables = new Map<string, Map<string, ActualColumn>>();
  const unsorted = new Set<string>();
  for (const [table, name, type, isRequired, isUnsorted] of columns) {
    const own = tables.get(table) ?? new Map<string, ActualColumn>();
    tables.set(table, own.set(name, { type, isRequired: isRequired !== null }));
    if (isUnsorted !== null) unsorted.add(table);
  }
  const indexes = new Map<string, string[]>();
  const unfinished = new Set<string>();
  for (const [index, column, isUnfinished] of indexColumns) {
    if (isUnfinished === null) indexes.set(index, [...(indexes.get(index) ?? []), column ?? idSuffix]);
    else unfinished.add(index);
  }
  return { tables, indexes, counted: new Set(counted.flat().map(String)), unfinished, unsorted };
}

/** The tables with row counters, orphaned ones included. */
export const countedTables = ({ tables, indexes, counted }: ActualSchema): Counted[] =>
  [...tables.keys()].flatMap((name): Counted[] => {
    const field = indexes.get(`${name}_by_parent`)?.[0];
    if (field !== undefined) return [{ name, kind: 'line-item', parent: { field } }];
    return counted.has(name) ? [{ name, kind: 'record' }] : [];
  });
