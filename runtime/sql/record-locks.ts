import type { Value } from '../model/fields.ts';
import type { ShownRecord } from '../model/table.ts';
import type { WriteRejection } from '../records/write.ts';
import type { Dml } from './dml.ts';
import type { QueryDialect } from './query-dialect.ts';
import type { Row, Rows, Statement } from './types.ts';
import type { NamedRecord } from './references.ts';
import { parentColumns, quote, versionColumn } from './schema.ts';
import type { TableSql } from './table-sql.ts';

export type LockStrength = keyof QueryDialect['lock'];

/** The strengths of locks, from the weakest on. */
export const strengths = ['againstDelete', 'againstChange', 'exclusive', 'forDelete'] as const satisfies LockStrength[];

/** The rejection of a write that one of these records locks. @param rows ids and states */
export function rejectLocked({ table }: TableSql, rows: readonly Row[]): WriteRejection | undefined {
  const { lock, path, title } = table;
  const [id, state] = rows.find((row) => lock?.states.includes(String(row[1]))) ?? [];
  if (!lock || id === undefined) return undefined;
  return { outcome: 'locked', resource: path, title, id: id as string, field: lock.field, state: state as string };
}

/** The same of a record that its own state may lock. */
export const rejectRecord = (sql: TableSql, id: string, record: ShownRecord): WriteRejection | undefined =>
  rejectLocked(sql, [[id, record[sql.table.lock?.field ?? '']]]);

/** The table of the parents of line items, if their states can lock them. */
function lockingParents(dml: Dml, { table, organization }: TableSql): TableSql | undefined {
  const parents = table.parent?.table === undefined ? undefined : dml.of(table.parent.table, organization);
  return parents?.table.lock && parents;
}

/** How a write of line items locks their parents: no other one may change them, if it may do so itself. */
export function parentLock(dml: Dml, sql: TableSql, changesParents: boolean): LockStrength {
  if (changesParents) return 'exclusive';
  return lockingParents(dml, sql) ? 'againstChange' : 'againstDelete';
}

/**
 * Locks the parents of line items, and selects their states; nothing if these lock no items, and the write changes no parents.
 *
 * Parents are locked before their items. An item may move until it is locked itself: what comes after that sees its parent.
 *
 * @param changesParents whether totals of the parents may change
 * @param other the parent that an item is moved to, which is locked in the same order
 */
export function lockParents(
  dml: Dml,
  sql: TableSql,
  ids: readonly string[],
  changesParents = dml.addedUp(sql.table.name) !== undefined,
  other?: Value,
): Statement[] {
  const { dialect, table, organization } = sql;
  const lock = parentLock(dml, sql, changesParents);
  // A single writer locks nothing, and has to know no states.
  const isNeeded = lock === 'exclusive' && dialect.lock.exclusive !== '';
  if (table.parent?.table === undefined || !(isNeeded || lockingParents(dml, sql))) return [];
  const parents = dml.of(table.parent.table, organization);
  const isMove = isNeeded && typeof other === 'string';
  return [
    parents.statement(`of items ${table.name} ${lock} ${isMove}`, [ids, ...(isMove ? [other] : [])], () => {
      const own = selectParents(sql, sql.param(1));
      const all = isMove ? `${own} union all select cast(${sql.param(2)} as text)` : own;
      const rows = parents.organizationRows([dialect.isSelected('"id"', all)]);
      return `select "id", ${parents.state} from ${rows} order by "id"${dialect.lock[lock]}`;
    }),
  ];
}

/** Selects the ids of the parents of line items. @param ids a parameter */
function selectParents(sql: TableSql, ids: string): string {
  const items = sql.fromPrimaryKey([sql.dialect.isIn(sql.column('id'), '"id"', ids)]);
  return `select ${quote(sql.table.parent?.field ?? '')} from ${items}`;
}

/** The rejection of a write of line items whose parent is locked. @param results the rows of `lockParents` */
export function rejectItems(dml: Dml, sql: TableSql, results: Rows): WriteRejection | undefined {
  const parents = lockingParents(dml, sql);
  return parents && rejectLocked(parents, results.flat());
}

/** The rows of the locks on a parent that a write names. */
export const parentsOf = ({ table }: TableSql, named: readonly NamedRecord[], results: Rows): Rows =>
  named[0]?.column === table.parent?.field ? results.slice(0, 1) : [];

/**
 * Locks line items or records in the order of their ids, so that two such statements cannot deadlock, and returns their ids,
 * versions, and of line items the place and the parent.
 *
 * @param given a JSON array of objects with an id
 * @param items ids of line items, by their tables, of which the parents are locked as well
 */
export function lockAll(
  sql: TableSql,
  given: string,
  strength: LockStrength,
  items: readonly (readonly [TableSql, readonly string[]])[] = [],
): Statement {
  const { table, dialect } = sql;
  const names = items.map(([{ table: of }]) => of.name).join();
  return sql.statement(`lock all ${strength} ${names}`, [given, ...items.map(([, ids]) => ids)], () => {
    const place = table.parent ? ['idx', ...parentColumns(table)] : [];
    const columns = ['id', versionColumn, ...place].map(quote).join(', ');
    const ids = `select _given."id" from ${dialect.given(sql.param(1), 'idx', 'bigint')}`;
    const parents = items.map(([one], n) => selectParents(one, sql.param(n + 2)));
    const rows = sql.organizationRows([dialect.isSelected('"id"', [ids, ...parents].join(' union all '))]);
    return `select ${columns} from ${rows} order by "id"${dialect.lock[strength]}`;
  });
}
