import type { Value } from '../model/fields.ts';
import type { Table } from '../model/table.ts';
import { literal, organizationColumn, parentPrefix, quote, rowCounters } from './schema.ts';
import type { TableSql } from './table-sql.ts';
import type { CountChange, Statement, Values } from './types.ts';

/** Whether the line items of this parent have a row counter. */
export const isCounted = (parent: Value): parent is string =>
  typeof parent === 'string' && (parent.length < parentPrefix || [...parent].length < parentPrefix);

/** The value of a row that names its counter: its parent, or nothing. */
export const counterOwner = ({ table: { parent } }: TableSql, values: Readonly<Record<string, unknown>>): Value =>
  parent ? (values[parent.field] as Value) : '';

/** The name of the counter of the records that lists leave out, in place of a parent. */
export const unlistedCounter = 'unlisted';

/** The changes that a write of one row makes; none if its row is not counted. */
export const changesBy = (sql: TableSql, parent: Value, rows: number): CountChange[] =>
  sql.table.kind !== 'singleton' && isCounted(parent) ? [{ sql, parent, rows }] : [];

/**
 * Changes of row counters that a transaction has still to write, each counter once: writes of the same table or parent share
 * them, and those who write them last and in one order cannot wait for each other in a circle.
 */
export class RowCounts {
  readonly #changes = new Map<string, CountChange>();

  add(change: CountChange): void {
    const { sql, parent, rows } = change;
    this.#changes.set(counterKey(sql, parent), { ...change, rows: this.pending(sql, parent) + rows });
  }

  /** The number that is added to a row counter. */
  pending(sql: TableSql, parent: Value): number {
    return this.#changes.get(counterKey(sql, parent))?.rows ?? 0;
  }

  /** The changes, which are forgotten here. */
  drain(): CountChange[] {
    const changes = [...this.#changes].toSorted(([a], [b]) => (a < b ? -1 : 1));
    this.clear();
    return changes.map(([, change]) => change);
  }

  clear(): void {
    this.#changes.clear();
  }
}

const counterKey = ({ organization, table }: TableSql, parent: Value): string =>
  `${organization} ${table.name} ${parent}`;

/** Adds the rows of a query (organization, table, parent, shard, count) to the row counters; missing ones are inserted. */
export const addCount = (query: string): string =>
  `insert into ${rowCounters} ${query} on conflict (${quote(organizationColumn)}, "table", "parent", "shard") ` +
  `do update set "count" = ${rowCounters}."count" + excluded."count"`;

/** The statements that change a row counter. That of line items is deleted at 0: nothing tells of the end of a parent elsewhere. */
export function changeCounter({ sql, parent, rows }: CountChange): Statement[] {
  const { table, dialect } = sql;
  const shard = table.parent ? 0 : Math.floor(Math.random() * dialect.counterShards);
  const add = (): Statement => sql.statement('add to counter', [parent, shard, rows], () => addCount(counterRow(sql)));
  const remove = (most: number): Statement =>
    sql.statement(
      'delete counter',
      [parent, most],
      () => `delete from ${counterOf(sql, sql.param(1))} and "count" <= ${sql.param(2)}`,
    );
  if (rows === -Infinity) return [remove(Number.MAX_SAFE_INTEGER)];
  return [...(rows === 0 ? [] : [add()]), ...(rows <= 0 && table.parent ? [remove(0)] : [])];
}

/** A row of a counter, from parameters for parent, shard and count. */
const counterRow = (sql: TableSql): string =>
  `values (${[sql.param(0), literal(sql.table.name), sql.param(1), sql.param(2), sql.param(3)].join(', ')})`;

/** Locks a parent that is stored outside this service; undefined if the engine has a single writer. */
export function lockExternalParent(sql: TableSql, parent: Value): Statement | undefined {
  if (sql.dialect.lock.exclusive === '') return undefined;
  // The items of no parent and of a long one are not counted: the row of their lock is a counter that stays 0.
  const key = [...String(parent ?? '')].slice(0, parentPrefix).join('');
  const build = (): string => `${addCount(counterRow(sql))} returning 1`;
  return sql.statement('lock parent', [key, parent === null ? 1 : 0, 0], build);
}

/** Selects the row counter of a parent; it follows `from`. */
export const counterOf = (sql: TableSql, parent: string): string =>
  `${rowCounters} where ${sql.inOrganization(quote(organizationColumn))} ` +
  `and "table" = ${literal(sql.table.name)} and "parent" = ${parent}`;

/** Reads the row counter of the table; with a value, of the line items of a parent. */
export function readCounter(sql: TableSql, values: Values): Statement {
  const parent = sql.table.parent ? sql.param(1) : "''";
  return sql.statement('total', values, () => `select coalesce(sum("count"), 0) from ${counterOf(sql, parent)}`);
}

/** Reads the number of records that lists show, or of those that they leave out. */
export const readListedCounter = (sql: TableSql, isListed: boolean): Statement =>
  sql.statement(`total ${isListed}`, [], () => {
    if (!isListed) return `select coalesce(sum("count"), 0) from ${counterOf(sql, literal(unlistedCounter))}`;
    const counted = `case when "parent" = '' then "count" else -"count" end`;
    return (
      `select coalesce(sum(${counted}), 0) from ${rowCounters} where ${sql.inOrganization(quote(organizationColumn))} ` +
      `and "table" = ${literal(sql.table.name)} and "parent" in ('', ${literal(unlistedCounter)})`
    );
  });

/** Reads the number of rows of each table of records that has any, of all organizations: its name and its row counters. */
export function readAllCounters(tables: readonly Table[]): Statement {
  const names = tables.filter(({ kind }) => kind === 'record').map(({ name }) => literal(name));
  const text =
    `select "table", sum("count") from ${rowCounters} ` +
    `where "table" in (${["''", ...names].join(', ')}) and "parent" = '' group by "table"`;
  return { text, values: [] };
}
