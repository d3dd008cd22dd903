import { columnValue, type Value } from '../model/fields.ts';
import { type ShownRecord, shownValues } from '../model/table.ts';
import { evaluate } from '../rules/evaluate.ts';
import type { Logic, Totals } from '../rules/logic.ts';
import type { WriteRejection } from '../records/write.ts';
import type { StaleRecords } from './stale-records.ts';
import { changedTotals } from './totals.ts';
import type { WritePart } from './write-part.ts';

/** Computed fields of a record, and the reason why it cannot be stored with them. */
export interface Derived {
  readonly computed: Readonly<Record<string, Value>>;
  readonly rejection?: WriteRejection;
  /** Whether it breaks rules over totals alone. */
  readonly isOverTotals?: boolean;
}

/**
 * Computes the fields of a record as it would be, and checks its rules.
 *
 * @param time that of the write
 * @param operation the name of a transition may have rules of its own
 */
export function derive(logic: Logic, record: ShownRecord, totals: Totals, time: string, operation?: string): Derived {
  const { computed: values, violations, isOverTotals } = evaluate(logic, record, totals, time, operation);
  const computed = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, columnValue(value)]));
  if (violations.length === 0) return { computed };
  return { computed, rejection: { outcome: 'rule_violated', violations }, isOverTotals };
}

/**
 * The rejection of a record that breaks rules. If these are over totals, and the write is one of a batch, they are checked again at
 * its end instead.
 */
export function rejectBroken(
  { rejection, isOverTotals }: Derived,
  table: string,
  id: string,
  stale?: StaleRecords,
): WriteRejection | undefined {
  if (!rejection || !isOverTotals || !stale?.isOfBatch) return rejection;
  stale.add({ table, id, items: [], isChanged: true, isNamed: true });
  return undefined;
}

/** Computed fields, and rules about the whole record. */
export const logic: WritePart = {
  *derive({ dml, sql, write, operation, items }, { record }) {
    if (!sql.table.logic) return { computed: {} };
    const totals = yield* changedTotals(dml, sql, record, items);
    const wanted = { ...record, ...shownValues(sql.table, write.set) };
    return derive(sql.table.logic, wanted, totals, write.origin.time, operation);
  },
  reject: ({ sql, write, changing, isChanged, derived, stale }) =>
    changing.length === 0 && !isChanged ? undefined : rejectBroken(derived, sql.table.name, write.id, stale),
};
