import type { JsonRecord, Logic, NamedRecords, ReadableRecord, Rule, Totals, Value } from './logic.ts';
import type { Violation } from './violation.ts';

/** The result of a write to one record. */
interface Evaluation {
  /** The values of the computed fields. */
  readonly computed: Readonly<Record<string, Value>>;
  /** All rules that would be broken; if fields cannot be computed, these alone. */
  readonly violations: readonly Violation[];
  /** Whether all of them are of rules over totals. */
  readonly isOverTotals: boolean;
  /** Whether all of them are of rules that read other records. */
  readonly isOverNamed: boolean;
}

/**
 * Computes the fields of a record as it would be, and finds the rules that it would break. It never throws.
 *
 * @param record all fields, with their new values
 * @param time that of the write, ISO 8601 in UTC
 * @param transition the name of the transition that the write is
 * @param named the records that rules read; those that read another one are not checked
 */
export function evaluate(
  { rules, computed: fields, transitions }: Logic,
  record: JsonRecord,
  totals: Totals,
  time: string,
  transition?: string,
  named: NamedRecords = {},
): Evaluation {
  const computed: Record<string, Value> = {};
  const failed: Violation[] = [];
  for (const [field, { compute }] of Object.entries(fields)) {
    try {
      computed[field] = compute({ ...record, ...computed }, totals);
    } catch {
      failed.push({ field, message: `The ${field} cannot be computed: a value is too large, or divided by zero.` });
    }
  }
  if (failed.length > 0) return { computed, violations: failed, isOverTotals: false, isOverNamed: false };
  const ofTransition = Object.entries(transitions).flatMap(([name, some]) => (name === transition ? some : []));
  const broken = brokenOf([...rules, ...ofTransition], { ...record, ...computed, ...named }, time);
  const isOverTotals = broken.every((rule) => rule.isOverTotals);
  const isOverNamed = broken.every((rule) => rule.reads);
  return { computed, violations: broken.map(violationOf), isOverTotals, isOverNamed };
}

/**
 * The broken rules among some, in their order.
 *
 * @param record all fields; a rule that reads another record is checked if that is in here, as `expand` shows it
 * @param time that of the write, ISO 8601 in UTC
 */
export const violationsOf = (rules: readonly Rule[], record: ReadableRecord, time: string): Violation[] =>
  brokenOf(rules, record, time).map(violationOf);

const brokenOf = (rules: readonly Rule[], record: ReadableRecord, time: string): Rule[] =>
  rules.filter((rule) => hasRead(rule, record) && isBroken(rule, record, time));

const hasRead = ({ reads = {} }: Rule, record: ReadableRecord): boolean =>
  Object.keys(reads).every((name) => record[name] !== undefined);

const violationOf = ({ field, message }: Rule): Violation => ({ ...(field !== undefined && { field }), message });

/** A rule whose arithmetic fails is broken. */
function isBroken(rule: Rule, record: ReadableRecord, time: string): boolean {
  try {
    return rule.isBroken(record, time);
  } catch {
    return true;
  }
}
