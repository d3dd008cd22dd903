import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { hrefOf, navigate } from '../route.ts';

/** The keys of a list and their meaning, for the help. */
export const listKeys: readonly (readonly [string, string])[] = [
  ['j  ↓', 'Next record'],
  ['k  ↑', 'Previous record'],
  ['Enter', 'Open the record'],
  ['n', 'New record'],
  ['/', 'Search, or filter'],
  ['[  ]', 'Previous page, next page'],
  ['?', 'This help'],
];

export interface ListKeys {
  readonly box: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Pixels. */
  readonly rowHeight: number;
  /** The route of the resource where a record can be created. */
  readonly create: string | undefined;
  readonly turn: (pages: -1 | 1) => void;
  readonly help: () => void;
}

/** Whether keys are typed into what has the focus. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox]), textarea, select, dialog, [role=dialog]') !== null;

/** Moves the focus from row to row; a row that is not drawn yet is scrolled to first. */
function focusRow(box: HTMLElement, index: number, height: number): void {
  const find = (): HTMLElement | null => box.querySelector(`a[data-index="${index}"], [data-index="${index}"] a`);
  const focus = (row: HTMLElement): void => {
    row.focus({ preventScroll: true });
    (row.closest('tr, li') ?? row).scrollIntoView({ block: 'nearest' });
  };
  const row = find();
  if (row) {
    focus(row);
    return;
  }
  box.scrollTop = Math.max(0, (index - 2) * height);
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const drawn = find();
      if (drawn) focus(drawn);
    }),
  );
}

/** Lets a list be used by the keyboard. */
export function useListKeys({ box, count, rowHeight, create, turn, help }: ListKeys): void {
  useEffect(() => {
    const move = (by: number): void => {
      const current = document.activeElement?.closest<HTMLElement>('[data-index]');
      const index = current && box.current?.contains(current) ? Number(current.dataset['index']) + by : 0;
      if (box.current && count > 0) focusRow(box.current, Math.min(Math.max(index, 0), count - 1), rowHeight);
    };
    const keys: Readonly<Record<string, () => void>> = {
      j: () => move(1),
      k: () => move(-1),
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      n: () => create !== undefined && void navigate(hrefOf(create, 'new')),
      '/': () => document.querySelector<HTMLElement>('.search, .add-filter')?.focus(),
      '[': () => turn(-1),
      ']': () => turn(1),
      '?': help,
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.key === 'Escape' && event.target instanceof HTMLElement && event.target.matches('.search'))
        event.target.blur();
      const action = keys[event.key];
      if (!action || isTyping(event.target)) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [count, rowHeight, create, turn, help]);
}
