import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import { dragRow } from '../drag-rows.ts';
import { texts } from '../texts.ts';
import { isNew, type Items, moveRow } from './draft.ts';
import type { ItemsProps } from './items.ts';

/** New items are stored behind those that are not loaded: they have no place among the others before. */
const movableCount = ({ rows, hasMore }: Items): number =>
  hasMore ? rows.filter((row) => !isNew(row)).length : rows.length;

interface RowMoves {
  /** The properties of the handle of a row; undefined if it cannot be moved. */
  readonly handle: (at: number) => object | undefined;
  /** Explains to screen readers how rows are moved, and says where one was moved to. */
  readonly help: VNode | undefined;
}

/** Moves rows by their handles, with a pointer or keys. */
export function useRowMoves(
  { items, isEditable, change }: ItemsProps,
  focusSoon: (selector: string) => void,
): RowMoves {
  const help = useId();
  const [said, say] = useState('');
  const { path, can } = items.resource;
  const movable = isEditable && can.reorder ? movableCount(items) : 0;
  const move = (from: number, to: number): void => change((current) => moveRow(current, path, from, to));
  const announce = (to: number): void => say(texts.items.moved(to + 1, movable));
  const keyDown = (event: KeyboardEvent, at: number): void => {
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: movable - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0 || to >= movable || to === at) return;
    focusSoon(`[data-row="${to}"] .handle`);
    move(at, to);
    announce(to);
  };
  if (movable < 2) return { handle: () => undefined, help: undefined };
  return {
    handle: (at) =>
      at < movable
        ? {
            'aria-describedby': help,
            onPointerDown: (event: PointerEvent) =>
              dragRow(event, at, (from, to) => to < movable && move(from, to), announce),
            onKeyDown: (event: KeyboardEvent) => keyDown(event, at),
          }
        : undefined,
    help: html`<p class="hidden" id=${help}>${texts.items.moveHelp}</p>
      <p class="hidden" aria-live="assertive">${said}</p>`,
  };
}
