import type { JsonRecord, Logic, Rule, Totals, Value } from './logic.ts';

/** The reason why a record cannot be as it would be. */
export interface Violation {
  /** The field it is about; none if it is about the whole record. */
  readonly field?: string;
  readonly message: string;
}

/** The result of a write to one record. */
interface Evaluation {
  /** The values of the computed fields. */
  readonly computed: Readonly<Record<string, Value>>;
  /** All rules that would be broken; if fields cannot be computed, these alone. */
  readonly violations: readonly Violation[];
  /** Whether all of them are of rules over totals. */
  readonly isOverTotals: boolean;
}

/**
 * Computes the fields of a record as it would be, and finds the rules that it would break. It never throws.
 *
 * @param record all fields, with their new values
 * @param time that of the write, ISO 8601 in UTC
 * @param transition the name of the transition that the write is
 */
export function evaluate(
  { rules, computed: fields, transitions }: Logic,
  record: JsonRecord,
  totals: Totals,
  time: string,
  transition?: string,
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
  if (failed.length > 0) return { computed, violations: failed, isOverTotals: false };
  const ofTransition = Object.entries(transitions).flatMap(([name, some]) => (name === transition ? some : []));
  const broken = brokenOf([...rules, ...ofTransition], { ...record, ...computed }, time);
  const isOverTotals = broken.every((rule) => rule.isOverTotals);
  return { computed, violations: broken.map(violationOf), isOverTotals };
}

/** The broken rules among some, in their order. @param time that of the write, ISO 8601 in UTC */
export const violationsOf = (rules: readonly Rule[], record: JsonRecord, time: string): Violation[] =>
  brokenOf(rules, record, time).map(violationOf);

const brokenOf = (rules: readonly Rule[], record: JsonRecord, time: string): Rule[] =>
  rules.filter((rule) => isBroken(rule, record, time));

const violationOf = ({ field, message }: Rule): Violation => ({ ...(field !== undefined && { field }), message });

/** A rule whose arithmetic fails is broken. */
function isBroken(rule: Rule, record: JsonRecord, time: string): boolean {
  try {
    return rule.isBroken(record, time);
  } catch {
    return true;
  }
}
