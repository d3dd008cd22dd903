import type { Value } from '../model/fields.ts';
import type { Dml, Statement, TableSql } from './table-sql.ts';
import type { SingleWrite } from '../records/store.ts';

interface Row {
  readonly table: string;
  readonly id: Value | undefined;
}

/**
 * Statements that lock all rows that writes name, in one order: batches that change the same records cannot wait for each
 * other in a circle. Parents come before items, and row counters last, as in single writes.
 *
 * @returns none if the engine has a single writer, or the writes name fewer than two rows
 */
export function locksOf(dml: Dml, writes: readonly SingleWrite[], organization: number): readonly Statement[] {
  const named = new Map<string, { readonly sql: TableSql; readonly ids: Set<string> }>();
  const externalParents = new Map<string, Statement>();
  const created = new Set<Value | undefined>();
  for (const write of writes) {
    const sql = dml.of(write.table, organization);
    if (write.op === 'insert') created.add(write.values[sql.position('id')]);
    for (const { table, id } of [...targetsOf(write), ...parentOf(sql, write)]) {
      // No stored id contains U+0000, which PostgreSQL refuses.
      if (typeof id !== 'string' || id.includes('\0') || created.has(id)) continue;
      const rows = dml.of(table, organization);
      const place = `${rows.table.parent ? 'item' : ''} ${table}`;
      named.set(place, { sql: rows, ids: (named.get(place)?.ids ?? new Set()).add(id) });
    }
    const lock = externalLock(sql, write);
    if (lock) externalParents.set(`${write.table} ${JSON.stringify(lock.values)}`, lock);
  }
  const count = [...named.values()].reduce((sum, { ids }) => sum + ids.size, externalParents.size);
  if (count < 2) return [];
  return [...inOrder(named).flatMap(({ sql, ids }) => sql.lockAll([...ids])), ...inOrder(externalParents)];
}

/** The rows that a write changes or deletes. */
function targetsOf(write: SingleWrite): readonly Row[] {
  const { op, table } = write;
  if (op === 'insert') return [];
  return op === 'reorder' ? write.items.map(({ id }) => ({ table, id })) : [{ table, id: write.id }];
}

/** The parent that an item is created under, or moved to. */
function parentOf(sql: TableSql, write: SingleWrite): readonly Row[] {
  const { parent } = sql.table;
  if (parent?.table === undefined) return [];
  if (write.op === 'insert') return [{ table: parent.table, id: write.values[sql.position(parent.field)] }];
  return write.op === 'update' ? [{ table: parent.table, id: write.set[parent.field] }] : [];
}

/** Locks the parent that is stored outside this service, if an item is appended to its items. */
function externalLock(sql: TableSql, write: SingleWrite): Statement | undefined {
  const { parent } = sql.table;
  if (write.op !== 'insert' || !parent || parent.table !== undefined) return undefined;
  if (write.values[sql.position('idx')] !== null) return undefined;
  return sql.dialect.lockExternalParent(sql, write.values[sql.position(parent.field)] as Value);
}

const inOrder = <T>(all: ReadonlyMap<string, T>): T[] =>
  [...all].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
