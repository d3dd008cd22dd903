import type { Value } from '../model/fields.ts';
import type { OrganizationWrite } from '../records/write.ts';
import type { Dml } from './dml.ts';
import { changesOf, eventsOf } from './events.ts';
import { lockAll, lockParents, rejectItems } from './record-locks.ts';
import type { Statement, WriteSteps } from './types.ts';
import { parentColumns, quote } from './schema.ts';
import type { TableSql } from './table-sql.ts';

/** Gives line items of one parent other places. */
export function* reorder(dml: Dml, { table, organization, items }: OrganizationWrite<'reorder'>): WriteSteps {
  const sql = dml.of(table, organization);
  const ids = items.map(({ id }) => id);
  const parents = lockParents(dml, sql, ids, false);
  const statements = [...parents, lockAll(sql, JSON.stringify(items), 'exclusive'), ...parents];
  const results = yield { statements, keepsTransactionOpen: true };
  const [rows = [], ...owners] = results.slice(parents.length);
  const stored = new Map(
    rows.map(([id, version, idx, ...parent]) => [id as string, { version: Number(version), idx: Number(idx), parent }]),
  );
  const missing = items.find(({ id }) => !stored.has(id));
  if (missing) return { outcome: 'not_found', id: missing.id };
  const first = stored.get(items[0]?.id ?? '')?.parent ?? [];
  const isElsewhere = (id: string): boolean => first.some((value, j) => value !== stored.get(id)?.parent[j]);
  const indices = items.flatMap(({ id }, i) => (isElsewhere(id) ? [i] : []));
  if (indices.length > 0) return { outcome: 'different_parent', indices };
  const moved = items.filter(({ id, idx }) => stored.get(id)?.idx !== idx);
  const events = moved.flatMap(({ id, idx }) => {
    const { version = 0, idx: former = null } = stored.get(id) ?? {};
    return eventsOf(sql, 'reorder', id, version + 1, () => changesOf({ idx: former }, { idx }));
  });
  const rejection = moved.length > 0 && rejectItems(dml, sql, owners);
  if (rejection) return rejection;
  yield { statements: moved.length > 0 ? [setPositions(sql, JSON.stringify(moved))] : [], events };
  return {
    outcome: 'reordered',
    parent: Object.fromEntries(parentColumns(sql.table).map((name, i) => [name, (first[i] ?? null) as Value])),
  };
}

/** Sets the places of line items. @param positions a JSON array of objects with an id and an `idx` */
export const setPositions = (sql: TableSql, positions: string): Statement =>
  sql.statement('positions', [positions], () => {
    const isNamed = `${quote(sql.table.name)}."id" = _given."id"`;
    return sql.updateOf('"idx" = _given."idx"', [isNamed], sql.dialect.given(sql.param(1), 'idx', 'bigint'));
  });
