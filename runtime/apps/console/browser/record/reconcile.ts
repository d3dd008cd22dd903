import { etagOf } from '../../../../client/etag.ts';
import type { RecordData, Value } from '../api.ts';
import { fieldOf, type Field } from '../model.ts';
import {
  changedItems,
  type Draft,
  editableFields,
  hasChanges,
  isNew,
  isRowChanged,
  type Items,
  newRow,
  recordKey,
  type Row,
} from './draft.ts';
import { changedFields, type Edits, type Input, inputOf, isChanged, isSame } from './values.ts';

/** A field that two people have changed: what is stored now, and what is held by the control. */
export interface Difference {
  readonly field: Field;
  readonly theirs: Value | undefined;
  readonly mine: Input;
}

/** The changes of a record since it was read for editing. */
export interface Merge {
  /** The edits that still change something. */
  readonly edits: Edits;
  /** Changed by both, to different values. */
  readonly differences: readonly Difference[];
  /** Changed by the other one alone. */
  readonly theirs: readonly Field[];
}

/** Brings edits of a record as it was read together with the record as it is stored now. Nothing that was typed is lost. */
export function merge(
  fields: readonly Field[],
  read: Partial<RecordData>,
  edits: Edits,
  current: Partial<RecordData>,
): Merge {
  const mine = changedFields(fields, read, edits);
  const isTheirs = ({ name }: Field): boolean => !isSame(read[name], current[name]);
  const kept = mine.filter((field) => isChanged(field, current[field.name], edits[field.name]));
  return {
    edits: Object.fromEntries(kept.map(({ name }) => [name, edits[name]])),
    differences: kept
      .filter(isTheirs)
      .map((field) => ({ field, theirs: current[field.name], mine: edits[field.name] })),
    theirs: fields.filter((field) => isTheirs(field) && !mine.includes(field)),
  };
}

/** A draft over the record and the line items that are stored now. Everything that was typed is in it. */
interface Rebased {
  readonly draft: Draft;
  /** The conflicts that are new: the user sees them before the draft is saved. */
  readonly conflicts: Draft['conflicts'];
  /** Another user has deleted a line item that is edited here, or moved items that are moved here. */
  readonly areItemsLost: boolean;
}

/** An item that another user has deleted while it was edited: the next save stores it anew. */
function reborn({ resource }: Items, { base, edits }: Row): Row {
  const row = newRow(resource);
  const names = Object.keys(row.base);
  const values: Edits = Object.fromEntries(names.map((name) => [name, inputOf(base[name], fieldOf(resource, name))]));
  return { ...row, edits: { ...values, ...edits } };
}

const byPlace = (a: Row, b: Row): number => (a.place ?? Infinity) - (b.place ?? Infinity);

/** The stored items that two versions of a list share, in the stored order of the first one. */
const sharedOrder = (rows: readonly Row[], otherRows: readonly Row[]): string => {
  const ids = new Set(otherRows.map(({ base }) => base['id']));
  const shared = rows.filter((row) => !isNew(row) && ids.has(row.base['id'] ?? null));
  return JSON.stringify(shared.toSorted(byPlace).map(({ base }) => base['id']));
};

/** Brings an edited row together with the stored one. A row that is deleted here conflicts with every change of it. */
function rebaseRow({ resource }: Items, row: Row, { base, place }: Row): { row: Row; conflict: Merge | undefined } {
  const merged = merge(editableFields(resource), row.base, row.isDeleted ? {} : row.edits, base);
  const isTheirs = merged.differences.length > 0 || merged.theirs.length > 0;
  return {
    row: { ...row, base, place, edits: row.isDeleted ? row.edits : merged.edits },
    conflict: isTheirs && isRowChanged(resource, row) ? merged : undefined,
  };
}

/** Brings line items as they are edited together with those that are stored now. */
export function reconcile(
  items: Items,
  current: Items,
): { items: Items; conflicts: [string, Merge][]; isLost: boolean } {
  // An item that was added here keeps the key that it had before it was stored.
  const byId = new Map(current.rows.map((row) => [row.base['id'], row]));
  const editedIds = new Set(items.rows.flatMap((row) => (isNew(row) ? [] : [row.base['id']])));
  const { isMoved } = changedItems(items);
  const conflicts: [string, Merge][] = [];
  let isLost = isMoved && sharedOrder(items.rows, current.rows) !== sharedOrder(current.rows, items.rows);
  const rows = items.rows.flatMap((row) => {
    if (isNew(row)) return [row];
    const now = byId.get(row.base['id']);
    if (now) {
      const { row: rebased, conflict } = rebaseRow(items, row, now);
      if (conflict) conflicts.push([row.key, conflict]);
      return [rebased];
    }
    if (row.isDeleted || Object.keys(row.edits).length === 0) return [];
    isLost = true;
    return [reborn(items, row)];
  });
  const added = current.rows.filter(({ base }) => !editedIds.has(base['id']));
  const firstNew = rows.findIndex(isNew);
  const all = rows.toSpliced(firstNew < 0 ? rows.length : firstNew, 0, ...added);
  const sorted = isMoved ? all : all.toSorted(byPlace);
  return { items: { ...items, rows: sorted, total: current.total, hasMore: current.hasMore }, conflicts, isLost };
}

/** The record of a draft over the stored one. */
function rebaseRecord(draft: Draft, current: RecordData): { draft: Draft; conflicts: [string, Merge][] } {
  if (etagOf(current) === etagOf(draft.base)) return { draft, conflicts: [] };
  const merged = merge(editableFields(draft.resource), draft.base, draft.edits, current);
  const isTold = merged.differences.length > 0 || (hasChanges(draft) && merged.theirs.length > 0);
  return { draft: { ...draft, base: current, edits: merged.edits }, conflicts: isTold ? [[recordKey, merged]] : [] };
}

/**
 * Brings a draft together with the record and the line items that are stored now.
 *
 * @param current undefined for a parent that is kept outside of this service
 */
export function rebase(draft: Draft, current: RecordData | undefined, items: readonly Items[]): Rebased {
  const record = current ? rebaseRecord(draft, current) : { draft, conflicts: [] };
  const lists = draft.items.map((list, at) => reconcile(list, items[at] ?? list));
  const conflicts = new Map([record, ...lists].flatMap((part) => part.conflicts));
  return {
    draft: {
      ...record.draft,
      items: lists.map((list) => list.items),
      conflicts: new Map([...draft.conflicts, ...conflicts]),
    },
    conflicts,
    areItemsLost: lists.some(({ isLost }) => isLost),
  };
}
