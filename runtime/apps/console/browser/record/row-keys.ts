import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface RowKeys {
  /** Gives the focus to an element of the table once it is drawn anew. */
  readonly focusSoon: (selector: string) => void;
  readonly keyDown: (event: KeyboardEvent) => void;
}

/** The focus in the rows of a table: Enter goes on in the next row, and adds one at the end, if `add` may. */
export function useRowKeys(
  table: RefObject<HTMLElement | null>,
  count: number,
  add: (() => void) | undefined,
): RowKeys {
  const wanted = useRef('');
  const focus = (selector: string): void => table.current?.querySelector<HTMLElement>(selector)?.focus();
  // Before the next key is pressed.
  useLayoutEffect(() => {
    if (wanted.current !== '') focus(wanted.current);
    wanted.current = '';
  });
  const keyDown = (event: KeyboardEvent): void => {
    const control = event.target as HTMLElement;
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || !control.matches('input, textarea')) return;
    if (event.ctrlKey || event.metaKey || control.closest('.more')) return;
    event.preventDefault();
    const next = Number(control.closest<HTMLElement>('[data-row]')?.dataset['row']) + 1;
    if (next < count) focus(`[data-row="${next}"] [name="${CSS.escape((control as HTMLInputElement).name)}"]`);
    else add?.();
  };
  return { focusSoon: (selector) => (wanted.current = selector), keyDown };
}
