import type { Counted } from '../store/ddl.ts';

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

/** The tables that have row counters, also where no spec has them any more. */
export const countedTables = ({ tables, indexes, counted }: ActualSchema): Counted[] =>
  [...tables.keys()].flatMap((name): Counted[] => {
    const field = indexes.get(`${name}_by_parent`)?.[0];
    if (field !== undefined) return [{ name, kind: 'line-item', parent: { field } }];
    return counted.has(name) ? [{ name, kind: 'record' }] : [];
  });
