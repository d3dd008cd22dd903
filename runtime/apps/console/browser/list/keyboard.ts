import { html } from 'htm/preact';
import type { RefObject } from 'preact';
import { openModal } from '../dialog.ts';
import { useWindowEvent } from '../events.ts';
import { hrefOf, navigate } from '../route.ts';

/** The keys of a list and their meaning, for the help. */
const listKeys: readonly (readonly [string, string])[] = [
  ['j  ↓', 'Next record'],
  ['k  ↑', 'Previous record'],
  ['Enter', 'Open the record'],
  ['n', 'New record'],
  ['/', 'Search, or filter'],
  ['[  ]', 'Previous page, next page'],
  ['?', 'This help'],
];

interface ListKeys {
  readonly box: RefObject<HTMLElement | null>;
  readonly count: number;
  /** The route of the resource if a record can be created. */
  readonly create: string | undefined;
  readonly turn: (pages: -1 | 1) => void;
}

/** Whether keys are typed into what has the focus. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox]), textarea, select, dialog, [role=dialog]') !== null;

/** The link of a row. */
export const rowAt = (box: HTMLElement | null, index: number): HTMLElement | undefined =>
  box?.querySelector<HTMLElement>(`a[data-index="${index}"], [data-index="${index}"] a`) ?? undefined;

/** Lets a list be used by the keyboard. */
export function useListKeys({ box, count, create, turn }: ListKeys): void {
  const move = (by: number): void => {
    const current = document.activeElement?.closest<HTMLElement>('[data-index]');
    const index = current && box.current?.contains(current) ? Number(current.dataset['index']) + by : 0;
    const row = rowAt(box.current, Math.min(Math.max(index, 0), count - 1));
    row?.focus({ preventScroll: true });
    row?.closest('tr, li')?.scrollIntoView({ block: 'nearest' });
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
    '?': showHelp,
  };
  useWindowEvent('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === 'Escape' && event.target instanceof HTMLElement && event.target.matches('.search'))
      event.target.blur();
    const action = keys[event.key];
    if (!action || isTyping(event.target)) return;
    event.preventDefault();
    action();
  });
}

/** Shows the keys of a list in a dialog. */
export const showHelp = (): void =>
  void openModal(
    'help-title',
    () =>
      html`<form method="dialog">
        <h2 id="help-title">Keyboard</h2>
        <dl class="keys">
          ${listKeys.map(
            ([keys, meaning]) =>
              html`<dt>${keys.split('  ').map((key) => html`<kbd>${key}</kbd> `)}</dt>
                <dd>${meaning}</dd>`,
          )}
        </dl>
        <div class="actions"><button class="button">Close</button></div>
      </form>`,
  );
