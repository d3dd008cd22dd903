import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { RecordData } from '../api.ts';
import { placeHere, useKeptPlace } from '../route.ts';
import { rowAt } from './keyboard.ts';

/**
 * Keeps the place of a list when it is left, and leads there when it is shown again.
 *
 * @param box scrolls the rows
 * @param shown names what is shown; undefined until it has come
 * @returns what opens the row of a click
 */
export function useListPlace(
  box: RefObject<HTMLElement | null>,
  rows: readonly RecordData[],
  shown: string | undefined,
): (event: MouseEvent) => void {
  /** The row that was opened last. */
  const opened = useRef<number>(undefined);
  useKeptPlace(() => {
    const focused = document.activeElement?.closest<HTMLElement>('[data-index]');
    const index = focused && box.current?.contains(focused) ? Number(focused.dataset['index']) : opened.current;
    const id = rows[index ?? -1]?.['id'];
    return { scroll: box.current?.scrollTop ?? 0, ...(id !== undefined && { id: String(id), index }) };
  });
  const focusRow = (): void => {
    const { id, index = -1 } = placeHere() ?? {};
    const found = rows.findIndex((record) => record['id'] === id);
    // A record that is gone leaves its place to the next one.
    const row = rowAt(box.current, found < 0 ? Math.min(index, rows.length - 1) : found);
    row?.focus({ preventScroll: true });
    row?.closest('tr, li')?.scrollIntoView({ block: 'nearest' });
  };
  useEffect(() => {
    if (shown === undefined) return;
    opened.current = undefined;
    box.current?.scrollTo(0, placeHere()?.scroll ?? 0);
    focusRow();
  }, [shown]);
  const hadFocus = box.current?.contains(document.activeElement) === true;
  // The row that had the focus may be gone when the page has been loaded again.
  useEffect(() => {
    if (hadFocus && document.activeElement === document.body) focusRow();
  }, [rows]);
  return (event) => {
    if (!(event.target instanceof Element)) return;
    const row = event.target.closest<HTMLElement>('[data-index]');
    if (!row) return;
    opened.current = Number(row.dataset['index']);
    // A link does it by itself, and text may be selected.
    if (event.target.closest('a') || getSelection()?.isCollapsed === false) return;
    row.querySelector('a')?.click();
  };
}
