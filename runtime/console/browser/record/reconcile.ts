import { changedItems, isNew, type Items, newRow, type Row } from './draft.ts';
import { inputOf, type Edits } from './values.ts';

/** An item that somebody else has deleted while it was edited: it is stored anew, unless it is deleted here, too. */
function reborn({ resource }: Items, { stored, edits }: Row): Row {
  const row = newRow(resource);
  const names = Object.keys(row.stored);
  const values: Edits = Object.fromEntries(names.map((name) => [name, inputOf(stored[name])]));
  return { ...row, edits: { ...values, ...edits } };
}

/**
 * Brings line items as they are edited together with those that are stored now. What was typed is kept: an item that is no
 * longer there becomes a new one if it was edited, and goes if it was not.
 */
export function reconcile(items: Items, current: Items): Items {
  // An item that was added here keeps the key that it had before it was stored.
  const byId = new Map(current.rows.map((row) => [row.stored['id'], row]));
  const known = new Set(items.rows.flatMap((row) => (isNew(row) ? [] : [row.stored['id']])));
  const rows = items.rows.flatMap((row) => {
    if (isNew(row)) return [row];
    const now = byId.get(row.stored['id']);
    if (now) return [{ ...row, stored: now.stored, place: now.place }];
    return !row.isDeleted && Object.keys(row.edits).length > 0 ? [reborn(items, row)] : [];
  });
  const added = current.rows.filter(({ stored }) => !known.has(stored['id']));
  const firstNew = rows.findIndex(isNew);
  const all = rows.toSpliced(firstNew < 0 ? rows.length : firstNew, 0, ...added);
  // Nobody has moved anything here: the order is the one that is stored.
  const isOrdered = !changedItems(items).isMoved;
  const last = Number.MAX_SAFE_INTEGER;
  const sorted = isOrdered ? all.toSorted((a, b) => (a.place ?? last) - (b.place ?? last)) : all;
  return { ...items, rows: sorted, total: current.total, hasMore: current.hasMore };
}
