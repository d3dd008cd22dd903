import { type Counted, idSuffix, quote, rowCounters } from '../store/ddl.ts';

/** A column as the database has it. */
export interface ActualColumn {
  readonly type: string;
  /** An insert that leaves it out fails. */
  readonly isRequired: boolean;
}

/** A database as it is: tables by name with their columns by name, and the columns of indexes by name. */
export interface ActualSchema {
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, ActualColumn>>;
  readonly indexes: ReadonlyMap<string, readonly string[]>;
  /** Tables whose rows have one counter as a whole: those of records. */
  readonly counted: ReadonlySet<string>;
  /** Indexes whose concurrent creation did not finish. */
  readonly unfinished?: ReadonlySet<string>;
  /** Tables whose ids do not sort by their bytes. */
  readonly unsorted?: ReadonlySet<string>;
}

/** A row for each column, in the order of its table; a flag is null where it does not hold. */
export type ColumnRow = [table: string, name: string, type: string, isRequired: unknown, isUnsorted: unknown];

/** A row for each column of an index, in its order; without a name it is an expression. */
export type IndexRow = [index: string, column: string | null, isUnfinished: unknown];

/** Selects the tables that are counted as a whole. */
export const selectCounted = `select distinct "table" from ${quote(rowCounters)} where "parent" = ''`;

/** Builds a schema from the rows that describe it; `counted` are those of `selectCounted`. */
export function schemaOf(
  columns: readonly ColumnRow[],
  indexColumns: readonly IndexRow[],
  counted: readonly unknown[][],
): ActualSchema {
  const tables = new Map<string, Map<string, ActualColumn>>();
  const unsorted = new Set<string>();
  for (const [table, name, type, isRequired, isUnsorted] of columns) {
    const known = tables.get(table) ?? new Map<string, ActualColumn>();
    tables.set(table, known.set(name, { type, isRequired: isRequired !== null }));
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

/** The tables that have row counters, also where no spec has them any more. */
export const countedTables = ({ tables, indexes, counted }: ActualSchema): Counted[] =>
  [...tables.keys()].flatMap((name): Counted[] => {
    const field = indexes.get(`${name}_by_parent`)?.[0];
    if (field !== undefined) return [{ name, kind: 'line-item', parent: { field } }];
    return counted.has(name) ? [{ name, kind: 'record' }] : [];
  });
