import type { RefObject } from 'preact';
import { isTyping, useWindowEvent } from '../events.ts';
import { hrefOf, navigate } from '../route.ts';
import type { Selection } from './selection.ts';

interface ListKeys {
  readonly box: RefObject<HTMLElement | null>;
  readonly count: number;
  /** The route of the resource if a record can be created. */
  readonly create: string | undefined;
  readonly turn: (pages: -1 | 1) => void;
  readonly selection: Selection;
}

/** The link of a row. */
export const rowAt = (box: HTMLElement | null, index: number): HTMLElement | undefined =>
  box?.querySelector<HTMLElement>(`[data-index="${index}"] a`) ?? undefined;

/** Lets a list be used by the keyboard. */
export function useListKeys({ box, count, create, turn, selection }: ListKeys): void {
  /** The place of the row that has the focus. */
  const focused = (): number | undefined => {
    const row = document.activeElement?.closest<HTMLElement>('[data-index]');
    return row && box.current?.contains(row) ? Number(row.dataset['index']) : undefined;
  };
  const move = (by: number): number => {
    const from = focused();
    const to = from === undefined ? 0 : Math.min(Math.max(from + by, 0), count - 1);
    const row = rowAt(box.current, to);
    row?.focus({ preventScroll: true });
    row?.closest('tr, li')?.scrollIntoView({ block: 'nearest' });
    return to;
  };
  const extend = (by: number): void => {
    const from = focused();
    selection.extend(move(by), from);
  };
  const choose = (): void => {
    const row = focused();
    if (row !== undefined) selection.toggle(row);
  };
  const choosePage = (): void => {
    if (selection.hasPage) selection.chooseAll();
    else selection.togglePage();
  };
  const keys: Readonly<Record<string, () => void>> = {
    j: () => void move(1),
    k: () => void move(-1),
    ArrowDown: () => void move(1),
    ArrowUp: () => void move(-1),
    J: () => extend(1),
    K: () => extend(-1),
    'Shift+ArrowDown': () => extend(1),
    'Shift+ArrowUp': () => extend(-1),
    'Ctrl+a': choosePage,
    x: choose,
    ' ': choose,
    '.': () => document.querySelector<HTMLElement>('.selection-bar .button:not(.quiet)')?.focus(),
    n: () => create !== undefined && void navigate(hrefOf(create, 'new')),
    '/': () => document.querySelector<HTMLElement>('.search, .add-filter')?.focus(),
    '[': () => turn(-1),
    ']': () => turn(1),
  };
  useWindowEvent('keydown', (event) => {
    if (event.altKey || event.defaultPrevented) return;
    const { key } = event;
    if (key === 'Escape' && selection.count > 0 && !isTyping(event.target)) {
      event.preventDefault();
      selection.keep();
    }
    if (key === 'Escape' && event.target instanceof HTMLElement && event.target.matches('.search')) event.target.blur();
    const isArrow = event.shiftKey && key.startsWith('Arrow');
    const name = `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${isArrow ? 'Shift+' : ''}${key}`;
    const action = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (!action || isTyping(event.target)) return;
    // A button is pressed by Space.
    if (key === ' ' && !(event.target instanceof Element && event.target.matches('[data-index] a'))) return;
    event.preventDefault();
    action();
  });
}
