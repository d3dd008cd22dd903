import type { Feature } from '../kernel/feature.ts';
import { type Column, isAlwaysSet, type Table } from '../kernel/model/table.ts';
import { organizationColumn, versionColumn } from '../kernel/sql/schema.ts';
import { hiddenColumns } from '../kernel/sql/table-parts.ts';
import { type Engine, quote, shortName, type ValueStorage } from '../kernel/sql/values.ts';
import { addMainCounter } from './counters.ts';
import { createIndex, indexes } from './indexes.ts';
import { ownTables } from './own-tables.ts';

/** The parts of a schema that differ between engines. */
export interface SchemaDialect {
  readonly engine: Engine;
  readonly values: ValueStorage;
  /** The collation that sorts ids by their bytes; empty if the engine does so by default. */
  readonly byBytes: string;
  /** Whether the definition of a table contains its foreign keys; otherwise they are added when all tables exist. */
  readonly definesForeignKeys: boolean;
  /** The keyword that creates or drops an index without blocking writes. */
  readonly concurrently: string;
  /** The prefix of a parent's id that an index holds. */
  readonly indexedParent: (field: string) => string;
  /** The keys of an index in which a nullable column is in the order of `nullableOrder` in kernel/sql/query-dialect.ts. */
  readonly orderedColumn: (column: string, isDescending: boolean) => readonly string[];
  /** The rest of an index, behind its table, by which a value finds the lists that have it; absent if there is none. */
  readonly listIndex?: (list: string) => string;
}

export function columnDefinition(column: Column, dialect: SchemaDialect): string {
  const words: string[] = [quote(column.name), dialect.values.type(column)];
  // A foreign key finds the rows that reference a record by an index, which has the order of ids.
  if ((column.name === 'id' || column.references) && dialect.byBytes !== '') words.push(dialect.byBytes);
  if (isAlwaysSet(column)) words.push('not null');
  if (column.default !== null) words.push(`default ${dialect.values.literal(column, column.default)}`);
  return words.join(' ');
}

/** The definitions of the columns that no record shows; the first one begins each table. */
export const hiddenDefinitions = (table: Table, { engine }: SchemaDialect, features: readonly Feature[]): string[] => [
  `${quote(organizationColumn)} bigint not null`,
  ...hiddenColumns(table, engine, features).map(({ name, type }) => `${quote(name)} ${type}`),
  `${quote(versionColumn)} bigint not null default 1`,
];

/** A constraint of the database: the last guard of a reference, whose rules the steps of a write keep. */
export interface ForeignKey {
  readonly name: string;
  readonly table: string;
  readonly column: string;
  /** The table that it references. */
  readonly target: string;
}

/** The foreign keys of a table. A column that may name records of several tables has none: no database knows such a key. */
export const foreignKeys = ({ name: table, columns }: Table): ForeignKey[] =>
  columns.flatMap(({ name: column, references }) =>
    references && !references.others
      ? [{ name: shortName(`${table}_${column}`, '_fkey'), table, column, target: references.table }]
      : [],
  );

/** It is checked at the end of a transaction: a cascade deletes the rows of a circle one after the other. */
export const foreignKeyDefinition = ({ name, column, target }: ForeignKey): string =>
  `constraint ${quote(name)} foreign key (${quote(organizationColumn)}, ${quote(column)})\n` +
  `    references ${quote(target)} (${quote(organizationColumn)}, "id") deferrable initially deferred`;

/** The definitions of the columns and the keys of a table. */
function tableBody(table: Table, dialect: SchemaDialect, features: readonly Feature[]): string {
  const [organization, ...hidden] = hiddenDefinitions(table, dialect, features);
  return [
    organization,
    ...table.columns.map((column) => columnDefinition(column, dialect)),
    ...hidden,
    `primary key (${quote(organizationColumn)}, "id")`,
    ...(dialect.definesForeignKeys ? foreignKeys(table).map(foreignKeyDefinition) : []),
  ].join(',\n  ');
}

/** Statements that create a table with its indexes and, for records, its row counter. */
export const createTableStatements = (table: Table, dialect: SchemaDialect, features: readonly Feature[]): string[] => [
  `create table ${quote(table.name)} (\n  ${tableBody(table, dialect, features)}\n)`,
  ...indexes(table, dialect, features).map((index) => createIndex(index, dialect)),
  ...(table.kind === 'record' ? [addMainCounter(table)] : []),
];

/** Statements that create a new database. */
export const createSchema = (
  tables: readonly Table[],
  dialect: SchemaDialect,
  features: readonly Feature[],
): string[] => [
  ...ownTables(features, tables).flatMap(({ statements }) => statements),
  ...tables.flatMap((table) => createTableStatements(table, dialect, features)),
];
