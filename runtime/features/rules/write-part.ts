import { columnValue } from '../../kernel/model/fields.ts';
import { type ShownRecord, shownValues, type TableLogic } from '../../kernel/model/table.ts';
import { evaluate } from './expressions/evaluate.ts';
import type { JsonRecord, Logic, NamedRecords, Totals } from './expressions/logic.ts';
import { ApiError, listed } from '../../kernel/model/errors.ts';
import type { Words, WriteRejection } from '../../kernel/records/write.ts';
import type { Violation } from './expressions/violation.ts';
import { named } from '../../kernel/sql/parts.ts';
import type { StaleRecords } from '../../kernel/sql/stale-records.ts';
import { lockNamed, namedRecords } from './named-records.ts';
import { changedTotals, totalsIn } from './totals.ts';
import type { ChangeRequest, Derived, WritePart } from '../../kernel/sql/write-part.ts';
import type { FeatureCode } from '../../kernel/model/error-codes.ts';

export const ruleViolated = {
  code: 'rule_violated',
  behind: 'invalid_body',
  status: 422,
  title: 'Rule violated',
  meaning: 'The record, or the parent of the line item, would break rules of its resource. Nothing was done.',
  remedy: 'Correct the values that the messages in `errors` are about.',
} as const satisfies FeatureCode;

declare module '../../kernel/records/write.ts' {
  interface Rejections {
    /** Rules that the record would break. */
    rule_violated: { violations: readonly Violation[] };
  }
}

export const describeRules: Words<'rule_violated'> = {
  rule_violated({ violations }) {
    const [first, ...others] = violations;
    const detail = first && others.length === 0 ? first.message : `${violations.length} rules are broken.`;
    const errors = violations.map(({ field, message }) => {
      const pointer = field === undefined ? '' : `/${field}`;
      return { pointer, code: 'rule_violated', message } as const;
    });
    return new ApiError(ruleViolated, detail, listed(errors));
  },
};

/** Computed fields of a record, and the reason why it cannot be stored with them. */
export interface Checked extends Derived {
  readonly rejection?: WriteRejection<'rule_violated'>;
  /** Whether fields have no values that they can hold. */
  readonly isUncomputed?: boolean;
  /** Whether it breaks rules over totals alone. */
  readonly isOverTotals?: boolean;
  /** Whether it breaks rules that read other records alone. */
  readonly isOverNamed?: boolean;
}

/**
 * Computes the fields of a record as it would be, and checks its rules.
 *
 * @param time that of the write
 * @param operation the name of a transition may have rules of its own
 * @param others the records that rules read
 */
export function derive(
  logic: TableLogic,
  record: ShownRecord,
  totals: Totals,
  time: string,
  operation?: string,
  others?: NamedRecords,
): Checked {
  const result = evaluate(logic as Logic, record as JsonRecord, totals, time, operation, others);
  const { computed: values, violations, isOverTotals, isOverNamed } = result;
  const computed = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, columnValue(value)]));
  if (violations.length === 0) return { computed };
  const isUncomputed = Object.keys(computed).length < Object.keys(logic.computed).length;
  return { computed, rejection: { outcome: 'rule_violated', violations }, isUncomputed, isOverTotals, isOverNamed };
}

/**
 * The rejection of a record that breaks rules. If these are over totals, and the write is one of a batch, they are checked again at
 * its end instead.
 */
function rejectBroken(
  { rejection, isOverTotals }: Checked,
  table: string,
  id: string,
  stale?: StaleRecords,
): Checked['rejection'] {
  if (!rejection || !isOverTotals || !stale?.isOfBatch) return rejection;
  stale.add({ table, id, items: [], isChanged: true, isNamed: true });
  return undefined;
}

/** The rejection of a record whose fields are not in the body. */
const withoutFields = (rejection: WriteRejection<'rule_violated'>): WriteRejection => ({
  ...rejection,
  violations: rejection.violations.map(({ message }) => ({ message })),
});

/** Whether a record changes as others have that reference it, and for no other reason. */
const isOfReferring = ({ dml, items = [], isChanged, given }: ChangeRequest): boolean =>
  !isChanged &&
  Object.keys(given).length === 0 &&
  items.length > 0 &&
  items.every(({ table, column }) => dml.of(table, 0).parentField !== column);

/** Others are checked when the record itself is written. */
const withRulesOverTotals = (logicOfTable: TableLogic): TableLogic => ({
  ...logicOfTable,
  rules: (logicOfTable as Logic).rules.filter(({ isOverTotals }) => isOverTotals),
});

/** Whether a record that an undo restores has totals: those that it had, until its batch is at its end. */
const keepsTotals = ({ sql: { table }, write, stale }: ChangeRequest): boolean =>
  stale !== undefined &&
  write.op === 'insert' &&
  write.version !== undefined &&
  Object.keys(table.logic?.totals ?? {}).length > 0;

/** Computed fields, rules about the whole record, and the totals of the records that it belongs to. */
export const logic: WritePart<Checked> = {
  isFor: (kind, { name, logic: ofTable }, dml) => kind !== 'delete' && (ofTable !== undefined || dml.hasTotals(name)),
  before: lockNamed,
  // The row may have named another record until it was locked.
  repeatsBefore: true,
  *derive(change, stored, rows) {
    const { dml, sql, given, write, operation, items } = change;
    if (!sql.table.logic || keepsTotals(change)) return { computed: {} };
    const totals = stored ? yield* changedTotals(dml, sql, stored.record, items) : totalsIn(dml, sql, []);
    const wanted = { ...stored?.record, ...shownValues(sql.table, given) };
    const checked = isOfReferring(change) ? withRulesOverTotals(sql.table.logic) : sql.table.logic;
    return derive(checked, wanted, totals, write.origin.time, operation, namedRecords(change, wanted, rows));
  },
  reject(change, { derived = { computed: {} } }) {
    const { sql, id, stored, changing, isChanged, isNamed, stale, operation, rowsOf } = change;
    // A reorder may set stamps: rules are checked when the item itself is written. A transition of a record may have its name.
    const isReordered = operation === 'reorder' && sql.table.parent !== undefined;
    const isKept = isReordered || (changing.length === 0 && !isChanged);
    // A total that has no value does not change.
    if (stored && isKept && !derived.isUncomputed) return undefined;
    const rejection = rejectBroken(derived, sql.table.name, id, stale);
    // A record that they read must be there before they are checked.
    const missing = rejection && derived.isOverNamed && named.reject?.(change, rowsOf(named));
    if (missing) return missing;
    return rejection && isNamed === false ? withoutFields(rejection) : rejection;
  },
  storing(change) {
    const { dml, sql, id, stale, stored, set } = change;
    const { name } = sql.table;
    const owners = dml.totalOwners(name);
    if (owners.length > 0)
      stale?.addOwners(name, owners, stored?.record, { ...stored?.record, ...shownValues(sql.table, set) });
    if (keepsTotals(change)) stale?.add({ table: name, id, isChanged: true, items: undefined });
  },
};
