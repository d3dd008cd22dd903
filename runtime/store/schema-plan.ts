import type { Column, Table } from '../schema/table.ts';
import {
  addColumn,
  countAnew,
  createIndex,
  createTable,
  createTotals,
  indexes,
  isAlwaysSet,
  literal,
  quote,
  totals,
} from './sql.ts';

/** A column as the database has it. */
export interface LiveColumn {
  readonly type: string;
  /** An insert that leaves it out fails. */
  readonly mandatory: boolean;
}

/** A database as it is: tables by name with their columns by name, and the columns of indexes by name. */
export interface LiveSchema {
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, LiveColumn>>;
  readonly indexes: ReadonlyMap<string, readonly string[]>;
  /** The tables whose rows are counted: those of records. */
  readonly counted: ReadonlySet<string>;
}

export interface SchemaPlan {
  /** What makes the live schema the wanted one, in order. Nothing in it loses data. */
  readonly statements: readonly string[];
  /** What cannot be done without losing data, each with what to do instead. */
  readonly refusals: readonly string[];
}

/**
 * Compares the wanted tables with the live ones. Declared renames are made, new tables and columns are added; tables
 * and columns that are no longer wanted stay as they are, with their data.
 */
export function planSchema(wanted: readonly Table[], live: LiveSchema): SchemaPlan {
  const statements: string[] = [];
  const refusals: string[] = [];
  if (!live.tables.has(totals)) statements.push(createTotals);
  for (const table of wanted) {
    const former = formerTable(table, wanted, live);
    if (former !== undefined) statements.push(...renameTable(table, former));
    const columns = live.tables.get(former ?? table.name);
    if (columns) {
      compareKind(table, columns, live.counted.has(former ?? table.name), refusals);
      compareColumns(table, columns, statements, refusals);
    } else {
      statements.push(createTable(table));
      if (table.kind === 'record') {
        // A table of this name may have been counted in an earlier life of the database.
        statements.push(`delete from ${quote(totals)} where "table" = ${literal(table.name)}`);
        statements.push(`insert into ${quote(totals)} values (${literal(table.name)}, '', 0, 0)`);
      }
    }
    for (const index of indexes(table)) {
      const liveColumns = live.indexes.get(index.name);
      if (liveColumns?.join() === index.columns.join()) continue;
      if (liveColumns) {
        statements.push(`drop index ${quote(index.name)}`);
        // Their parent may be named in another column now.
        if (table.parent) statements.push(...countAnew(table));
      }
      statements.push(createIndex(index));
    }
  }
  return { statements, refusals };
}

/** Records and singletons have the same columns; only the rows of records are counted. */
function compareKind(
  table: Table,
  columns: ReadonlyMap<string, LiveColumn>,
  isCounted: boolean,
  refusals: string[],
): void {
  if (isCounted === (table.kind === 'record') || !columns.has('created_at') || table.kind === 'line-item') return;
  refusals.push(
    `Table ${quote(table.name)} was made for a ${isCounted ? 'record' : 'singleton'}, and the spec now says ` +
      `${table.kind}. Give the resource a new name in its spec; the rows stay in the old table.`,
  );
}

/** The live table that is renamed to a wanted one which is not there yet. */
function formerTable(
  { name, renamedFrom = [] }: Table,
  wanted: readonly Table[],
  live: LiveSchema,
): string | undefined {
  if (live.tables.has(name)) return undefined;
  return renamedFrom.find((former) => live.tables.has(former) && !wanted.some((table) => table.name === former));
}

function renameTable(table: Table, former: string): string[] {
  const statements = [`alter table ${quote(former)} rename to ${quote(table.name)}`];
  if (table.kind !== 'singleton') {
    statements.push(`delete from ${quote(totals)} where "table" = ${literal(table.name)}`);
    statements.push(`update ${quote(totals)} set "table" = ${literal(table.name)} where "table" = ${literal(former)}`);
  }
  // The index takes the name of its table, and is made anew.
  for (const { name } of indexes({ ...table, name: former })) statements.push(`drop index if exists ${quote(name)}`);
  return statements;
}

/** The live column that is renamed to a wanted one which is not there yet. */
function formerColumn(
  { renamedFrom = [] }: Column,
  { columns }: Table,
  live: ReadonlyMap<string, LiveColumn>,
): string | undefined {
  return renamedFrom.find((former) => live.has(former) && !columns.some(({ name }) => name === former));
}

function compareColumns(
  table: Table,
  columns: ReadonlyMap<string, LiveColumn>,
  statements: string[],
  refusals: string[],
): void {
  for (const column of table.columns) {
    const former = columns.has(column.name) ? undefined : formerColumn(column, table, columns);
    if (former !== undefined) {
      const names = `${quote(former)} to ${quote(column.name)}`;
      statements.push(`alter table ${quote(table.name)} rename column ${names}`);
    }
    const live = columns.get(former ?? column.name);
    if (!live && isAlwaysSet(column)) {
      refusals.push(
        `Table ${quote(table.name)} has no column ${quote(column.name)}: it was made for a resource of another kind. ` +
          `Give the resource a new name in its spec; the rows stay in the old table.`,
      );
    } else if (!live) {
      statements.push(addColumn(table, column));
    } else if (live.type.toLowerCase() !== column.type) {
      refusals.push(
        `Column ${quote(column.name)} of table ${quote(table.name)} is ${live.type.toLowerCase()}, and the spec now says ` +
          `${column.type}. Give the field a new name (the old column keeps its data), or go back to its old type.`,
      );
    }
  }
  const wanted = new Set(table.columns.map(({ name }) => name));
  for (const [name, live] of columns) {
    if (!live.mandatory || wanted.has(name)) continue;
    refusals.push(
      `Column ${quote(name)} of table ${quote(table.name)} must be set, and the spec has no such field: the table was ` +
        `made for a resource of another kind. Give the resource a new name in its spec.`,
    );
  }
}
