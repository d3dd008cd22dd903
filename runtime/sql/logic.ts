import { columnValue, type Value } from '../model/fields.ts';
import type { ShownRecord } from '../model/table.ts';
import { evaluate } from '../rules/evaluate.ts';
import type { Logic, Totals } from '../rules/logic.ts';
import type { WriteRejection } from '../records/write.ts';

/** Computed fields of a record, and the reason why it cannot be stored with them. */
export interface Derived {
  readonly computed: Readonly<Record<string, Value>>;
  readonly rejection?: WriteRejection;
}

/**
 * Computes the fields of a record as it would be, and checks its rules.
 *
 * @param time that of the write
 * @param operation the name of a transition may have rules of its own
 */
export function derive(logic: Logic, record: ShownRecord, totals: Totals, time: string, operation?: string): Derived {
  const { computed: values, violations } = evaluate(logic, record, totals, time, operation);
  const computed = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, columnValue(value)]));
  return { computed, ...(violations.length > 0 && { rejection: { outcome: 'rule_violated', violations } }) };
}
