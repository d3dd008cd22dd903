import { defaultListLimit, mayBeLarge } from '../model/limits.ts';
import { maxShortChanges } from '../records/limits.ts';
import {
  isDone,
  type OrganizationWrite,
  type SingleResult,
  type SingleWrite,
  type Write,
  type WriteResult,
} from '../records/write.ts';
import { insert, refreshing, transition, update } from './changes.ts';
import { remove } from './deletes.ts';
import type { Dml } from './dml.ts';
import { StaleRecords } from './stale-records.ts';
import { chained } from './steps.ts';
import type { WriteSteps } from './types.ts';
import type { Operation, Operations } from './write-part.ts';

const operations: Operations = { insert, update, transition, delete: remove };

const operationOf = (dml: Dml, op: Write['op']): Operation<Write['op']> =>
  (operations[op] ?? dml.operations[op]) as Operation<Write['op']>;

/** The steps of a write. */
export const stepsOf = (dml: Dml, write: OrganizationWrite): WriteSteps =>
  dml.parts.reduce(
    (steps, part) => part.around?.(dml, write, steps) ?? steps,
    mayBeSeveral(dml, write) ? allSteps(dml, write) : ownSteps(dml, write),
  );

/** The steps of a write, and those of other records that change with it. */
function* allSteps(dml: Dml, write: OrganizationWrite): WriteSteps {
  const stale = new StaleRecords();
  const others: string[] = [];
  function* all(): Generator<WriteSteps> {
    yield ownSteps(dml, write, stale);
    for (const record of stale.takeAll(dml.placeOf)) {
      others.push(record.id);
      yield refreshing(dml, write, record, stale);
    }
  }
  const [own] = write.op === 'insert' ? write.values : singleWritesOf(write).flatMap(targetsOf);
  let result: WriteResult | undefined;
  let refusal: WriteResult | undefined;
  yield* chained(all(), (one, at) => {
    // A record whose totals follow may be gone.
    const isGone = at > 0 && one.outcome === 'not_found';
    if (!isDone(one) && !isGone) refusal = one;
    // The answer shows the record as it is at the end.
    else if (at === 0 || (one.outcome === 'written' && others[at - 1] === own)) result = one;
    return refusal === undefined;
  });
  if (refusal) return refusal;
  return { ...result, others } as SingleResult;
}

/** The steps of a write without those of other records that change with it. */
export const ownSteps = (dml: Dml, write: OrganizationWrite, stale?: StaleRecords): WriteSteps =>
  operationOf(dml, write.op)(dml, write, stale);

/**
 * Whether a write may be several changes: other records have to change with it, which have totals over its rows, or whose references
 * it sets to null; or each line item of a reorder is an update of its own.
 */
function mayBeSeveral(dml: Dml, write: Write): boolean {
  const { op, table } = write;
  const isAddedUp = dml.hasTotals(table);
  if (op === 'delete') return isAddedUp || (dml.hasLogic && mayChangeOthers(dml, write));
  if (op === 'reorder') return dml.setByChanges(dml.of(table, 0).table).length > 0;
  if (!isAddedUp || op === 'batch') return false;
  return op !== 'update' || dml.changedOwners(dml.of(table, 0).table, Object.keys(write.set)).length > 0;
}

/** The single writes that a write consists of. */
export const singleWritesOf = (write: Write): readonly SingleWrite[] => (write.op === 'batch' ? write.writes : [write]);

/** The ids of the records that a write changes or deletes. */
export function targetsOf(write: SingleWrite): readonly string[] {
  if (write.op === 'insert') return [];
  return write.op === 'reorder' ? write.items.map(({ id }) => id) : [write.id];
}

const mayChangeOthers = (dml: Dml, { op, table }: Write): boolean =>
  op === 'delete' && dml.itemsOf(table).length + dml.referencesTo(table).length > 0;

/** The ids of the records that writes have changed or deleted; undefined if they are unknown. @param results those of the writes */
export function changedBy(
  dml: Dml,
  writes: readonly Write[],
  results: readonly Changing[],
): readonly string[] | undefined {
  const parts = writes.flatMap(singleWritesOf);
  if (parts.some((part) => mayChangeOthers(dml, part))) return undefined;
  return [...parts.flatMap(targetsOf), ...results.flatMap(othersOf)];
}

/** The result of a write, which may have changed other records than it names. */
interface Changing {
  readonly outcome: string;
  readonly others?: readonly string[];
  readonly results?: readonly Changing[];
}

const othersOf = ({ others = [], results = [] }: Changing): readonly string[] => [
  ...others,
  ...results.flatMap(othersOf),
];

/** Whether several statements of a write change rows, so that a failure must undo those before it. */
export const isCompound = (dml: Dml, write: OrganizationWrite): boolean =>
  write.op === 'batch' ||
  mayChangeOthers(dml, write) ||
  mayBeSeveral(dml, write) ||
  (write.op === 'insert' && dml.changesRows(write.table));

/** Whether a write changes a record that is there: one that it names, or the parent of a line item, whose totals change. */
const changesRecord = (dml: Dml, { op, table }: SingleWrite): boolean =>
  op === 'update' || op === 'transition' || (op === 'insert' && dml.hasTotals(table));

/** Whether a write reads lists, which may be long, or have to be counted. */
const readsLists = (write: Write): boolean =>
  write.op === 'batch' && (write.read !== undefined || write.lists !== undefined);

/** Whether a write may take so long that other requests should not wait for it. */
export const isLong = (dml: Dml, write: OrganizationWrite): boolean =>
  readsLists(write) ||
  singleWritesOf(write).filter((part) => changesRecord(dml, part)).length > maxShortChanges ||
  singleWritesOf(write).some((part) => {
    // In a batch, a reorder is followed by a page of the list.
    if (part.op === 'reorder') return write.op === 'batch' || part.items.length > defaultListLimit;
    if (part.op === 'delete') return mayChangeOthers(dml, part);
    // A change of a record writes all of it again.
    return part.op !== 'insert' && mayBeLarge(dml.of(part.table, write.organization).table);
  });
