import { mayBeLarge } from '../model/limits.ts';
import type { Column, Table } from '../model/table.ts';
import { BoundedMap } from '../records/bounded-map.ts';
import { cacheEntries } from '../records/limits.ts';
import type { QueryDialect } from './query-dialect.ts';
import { organizationColumn, quote } from './schema.ts';
import { type HiddenColumn, hiddenColumns, type Parts } from './table-parts.ts';
import { sortableValue } from './values.ts';

/** A table, and what every statement would derive from it again. */
export interface TableFacts {
  readonly table: Table;
  readonly isLarge: boolean;
  /** The texts of its statements, whichever organization they are for. */
  readonly texts: BoundedMap<string, string>;
  /** Its name, quoted. */
  readonly name: string;
  /** A condition: a row is one of the organization. */
  readonly ofOrganization: string;
  /** The index of each column. */
  readonly positions: ReadonlyMap<string, number>;
  /** Its columns, and the hidden ones that lists are filtered by. */
  readonly columns: ReadonlyMap<string, Column>;
  /** Each of them as it is compared and sorted. */
  readonly sortable: ReadonlyMap<string, string>;
  readonly hidden: readonly HiddenColumn[];
  /** Whether a new record may have values that only one may have. */
  readonly mayClash: boolean;
}

/** Derives once what every statement on a table needs. */
export function factsOf(table: Table, dialect: QueryDialect, features: Parts): TableFacts {
  const hidden = hiddenColumns(table, dialect.engine, features);
  const columns = [...table.columns, ...hidden.flatMap(({ column }) => column ?? [])];
  return {
    table,
    isLarge: mayBeLarge(table),
    texts: new BoundedMap(cacheEntries),
    name: quote(table.name),
    ofOrganization: `${quote(table.name)}.${quote(organizationColumn)} = ${dialect.parameter(1)}`,
    positions: new Map(table.columns.map(({ name }, i) => [name, i])),
    columns: new Map(columns.map((column) => [column.name, column])),
    sortable: new Map(columns.map((column) => [column.name, sortableValue(column, dialect.values)])),
    hidden,
    mayClash: features.some(({ mayClash }) => mayClash?.(table)),
  };
}
