/** A line item in the order that it is to have. */
export interface Placed<T> {
  readonly id: T;
  /** Its stored number, and its place among all stored items; a new item has none. */
  readonly stored?: { readonly idx: number; readonly place: number };
}

/** Moves an entry to another place, and all between by one. */
export const moved = <T>(list: readonly T[], from: number, to: number): readonly T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, list[from] as T);

/** Stored items in their stored order, and the new ones behind them, as the service adds them. */
const isStoredOrder = <T>(wanted: readonly Placed<T>[]): boolean =>
  wanted.every(({ stored }, at) => {
    const before = wanted[at - 1];
    return !before || !stored || (before.stored !== undefined && before.stored.place < stored.place);
  });

/**
 * The numbers that line items need for an order: those they have, given out anew and made different where two are the same,
 * and after them as many more as there are new items. So items that are not loaded keep their places.
 *
 * @returns the items whose number changes, or may; none where the order is the stored one
 */
export function renumbered<T>(wanted: readonly Placed<T>[]): readonly { readonly id: T; readonly idx: number }[] {
  if (isStoredOrder(wanted)) return [];
  const free = wanted.flatMap(({ stored }) => (stored ? [stored.idx] : [])).toSorted((a, b) => a - b);
  let last = (free[0] ?? 1) - 1;
  return wanted.flatMap(({ id, stored }, at) => {
    last = Math.max(last + 1, free[at] ?? last + 1);
    return last === stored?.idx ? [] : [{ id, idx: last }];
  });
}
