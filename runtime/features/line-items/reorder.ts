import { invalidFields } from '../../kernel/model/errors.ts';
import type { Value } from '../../kernel/model/fields.ts';
import { isDone, type OrganizationWrite, type Words } from '../../kernel/records/write.ts';
import type { StaleRecords } from '../../kernel/sql/stale-records.ts';
import type { Dml } from '../../kernel/sql/dml.ts';
import { changesOf, eventsOf, update } from '../../kernel/sql/changes.ts';
import { lockAll } from '../../kernel/sql/record-locks.ts';
import { RowCounts } from '../../kernel/sql/row-counters.ts';
import { within } from '../../kernel/sql/steps.ts';
import type { Statement, WriteSteps } from '../../kernel/sql/types.ts';
import { parentColumns, quote } from '../../kernel/sql/schema.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import { lockParents, rejectItems } from './parent-locks.ts';

declare module '../../kernel/records/write.ts' {
  interface Rejections {
    /** Indices in `items` of those whose parent is not that of the first one. */
    different_parent: { indices: readonly number[] };
  }
}

export const describeReorder: Words<'different_parent'> = {
  different_parent({ indices }) {
    const paths = indices.map((index) => `items/${index}/id`);
    return invalidFields(paths, 'different_parent', 'belongs to another parent than the first item');
  },
};

/** Gives line items of one parent other places. */
export function* reorder(dml: Dml, write: OrganizationWrite<'reorder'>, stale?: StaleRecords): WriteSteps {
  const { table, organization, items, origin } = write;
  const sql = dml.of(table, organization);
  const isEachChanged = dml.setByChanges(sql.table).length > 0;
  const ids = items.map(({ id }) => id);
  const parents = lockParents(dml, sql, ids, isEachChanged && dml.hasTotals(table, sql.parentField));
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
  if (isEachChanged) {
    const change = { op: 'update', operation: 'reorder', table, expected: {}, time: origin.time } as const;
    const updates = moved.map(({ id, idx }) =>
      update(dml, { ...change, id, set: { idx }, organization, origin }, stale),
    );
    // A place is in no row counter.
    const rejected = (yield* within(new RowCounts(), updates)).find((result) => !isDone(result));
    if (rejected) return rejected;
  } else yield { statements: moved.length > 0 ? [setPositions(sql, JSON.stringify(moved))] : [], events };
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
