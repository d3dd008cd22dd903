import type { Value } from '../model/fields.ts';
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
import { stepsOnce } from './answers.ts';
import { batchSteps, targetsOf } from './batch.ts';
import { transition, update } from './updates.ts';
import type { Dml } from './dml.ts';
import { insert } from './inserts.ts';
import { remove } from './references.ts';
import { refresh } from './refresh.ts';
import { reorder } from './reorder.ts';
import { RowCounts } from './row-counters.ts';
import { StaleRecords } from './stale-records.ts';
import { within } from './steps.ts';
import type { WriteSteps } from './types.ts';
import { mayChangeTotals } from './totals.ts';

/** @param stale takes the records that may have to change with the write, if there can be any */
type Operation<Op extends Write['op']> = (dml: Dml, write: OrganizationWrite<Op>, stale?: StaleRecords) => WriteSteps;

/** The steps of each operation: the compiler requires a row for each. */
const operations: { readonly [Op in Write['op']]: Operation<Op> } = {
  insert,
  update,
  transition,
  delete: remove,
  reorder,
  batch,
};

export const stepsOf = (dml: Dml, write: OrganizationWrite): WriteSteps => {
  const steps = partSteps(dml, write);
  return write.origin.once ? stepsOnce(dml, write, steps) : steps;
};

function* partSteps(dml: Dml, write: OrganizationWrite): WriteSteps {
  if (!mayMakeStale(dml, write)) return yield* ownSteps(dml, write);
  const stale = new StaleRecords();
  const counts = new RowCounts();
  const [result] = (yield* within(counts, [ownSteps(dml, write, stale)])) as [WriteResult];
  if (!isDone(result)) return result;
  const others: string[] = [];
  for (const record of stale.takeAll()) {
    const rejection = yield* refresh(dml, write, record, stale, counts);
    if (rejection) return rejection;
    others.push(record.id);
  }
  yield { statements: [], counts: counts.drain() };
  return { ...result, others } as SingleResult;
}

/** The steps of a write without those of other records that change with it. */
function* ownSteps(dml: Dml, write: OrganizationWrite, stale?: StaleRecords): WriteSteps {
  // No id contains U+0000, which PostgreSQL refuses.
  if ('id' in write && write.id.includes('\0')) return { outcome: 'not_found', id: write.id };
  const operation = operations[write.op] as Operation<Write['op']>;
  return yield* operation(dml, write, stale);
}

/** Whether other records may have to change with a write: parents of line items, and records whose references it sets to null. */
function mayMakeStale(dml: Dml, write: Write): boolean {
  const { op, table } = write;
  const addedUp = dml.addedUp(table);
  if (op === 'delete') return addedUp !== undefined || (dml.hasLogic && dml.referencesTo(table).length > 0);
  if (!addedUp || op === 'reorder' || op === 'batch') return false;
  return op !== 'update' || mayChangeTotals(dml, dml.of(table, 0), Object.keys(write.set));
}

function batch(dml: Dml, write: OrganizationWrite<'batch'>): WriteSteps {
  return batchSteps(dml, write, (part, stale) => ownSteps(dml, part, stale));
}

const partsOf = (write: Write): readonly SingleWrite[] => (write.op === 'batch' ? write.writes : [write]);

/** The number of single writes that a write consists of. */
export const countOf = (write: Write): number => partsOf(write).length;

const mayChangeOthers = (dml: Dml, { op, table }: Write): boolean =>
  op === 'delete' && dml.itemsOf(table).length + dml.referencesTo(table).length > 0;

/** The ids of the records that writes have changed or deleted; undefined if they are unknown. @param results those of the writes */
export function changedBy(
  dml: Dml,
  writes: readonly Write[],
  results: readonly Changing[],
): readonly string[] | undefined {
  const parts = writes.flatMap(partsOf);
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
  write.op === 'batch' || mayChangeOthers(dml, write) || mayMakeStale(dml, write);

/** Whether a write changes a record that is there: one that it names, or the parent of a line item, whose totals change. */
const changesRecord = (dml: Dml, { op, table }: SingleWrite): boolean =>
  op === 'update' || op === 'transition' || (op === 'insert' && dml.addedUp(table) !== undefined);

/** Whether a write may take so long that other requests should not wait for it. */
export const isLong = (dml: Dml, write: OrganizationWrite): boolean =>
  partsOf(write).filter((part) => changesRecord(dml, part)).length > maxShortChanges ||
  partsOf(write).some((part) => {
    // In a batch, a reorder is followed by a page of the list.
    if (part.op === 'reorder') return write.op === 'batch' || part.items.length > defaultListLimit;
    if (part.op === 'delete') return mayChangeOthers(dml, part);
    // A change of a record writes all of it again.
    return part.op !== 'insert' && mayBeLarge(dml.of(part.table, write.organization).table);
  });

/** The values that a write stores. */
function valuesOf(write: SingleWrite): readonly Value[] {
  if (write.op === 'insert') return write.values;
  return write.op === 'update' ? Object.values(write.set) : [];
}

/** The number of characters that a write stores. */
export const lengthOf = (write: Write): number =>
  partsOf(write)
    .flatMap(valuesOf)
    .reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
