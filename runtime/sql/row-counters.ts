import type { Value } from '../model/fields.ts';
import type { Table } from '../model/table.ts';
import { isCounted, literal, parentPrefix, quote } from './schema.ts';
import { organizationColumn, rowCounters } from './helper-tables.ts';
import type { TableSql } from './table-sql.ts';
import type { CountChange, Statement, Values } from './types.ts';
import { parentField, type WritePart } from './write-part.ts';

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
const addCount = (query: string): string =>
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

/** Reads the number of rows of each table of records that has any, of all organizations: its name and its row counters. */
export function readAllCounters(tables: readonly Table[]): Statement {
  const names = tables.filter(({ kind }) => kind === 'record').map(({ name }) => literal(name));
  const text =
    `select "table", sum("count") from ${rowCounters} ` +
    `where "table" in (${["''", ...names].join(', ')}) and "parent" = '' group by "table"`;
  return { text, values: [] };
}

/** The row counters of the parents that a line item leaves and comes to: in one order, so that two moves cannot deadlock. */
export const counters: WritePart = {
  effects({ sql, set, stored }) {
    const next = set[parentField(sql)];
    const former = stored.record[parentField(sql)] as string | null;
    if (next === undefined || next === former) return {};
    const counts = [...changesBy(sql, former, -1), ...changesBy(sql, next, 1)];
    return { counts: counts.toSorted((a, b) => (a.parent < b.parent ? -1 : 1)) };
  },
};
