import type { JsonRecord, Rule } from './logic.ts';

/** A broken rule, as the error of a write names it. */
export interface Violation {
  /** The field it is about; none if it is about the whole record. */
  readonly field?: string;
  readonly message: string;
}

/** The broken rules among some, in their order. @param time that of the write, ISO 8601 in UTC */
export const violationsOf = (rules: readonly Rule[], record: JsonRecord, time: string): Violation[] =>
  rules
    .filter((rule) => isBroken(rule, record, time))
    .map(({ field, message }) => ({ ...(field !== undefined && { field }), message }));

function isBroken(rule: Rule, record: JsonRecord, time: string): boolean {
  try {
    return rule.isBroken(record, time);
  } catch {
    return true;
  }
}
