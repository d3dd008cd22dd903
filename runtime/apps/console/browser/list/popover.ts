import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Pixels to the edge of the window. */
const margin = 8;

interface PopoverProps {
  readonly label: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** A small dialog at what has opened it. Escape, and a click elsewhere, close it; the focus goes back to where it was. */
export function Popover({ label, close, children }: PopoverProps): VNode {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = box.current;
    // It stays in the window.
    const beyond = (box.current?.getBoundingClientRect().right ?? 0) + margin - document.documentElement.clientWidth;
    if (box.current && beyond > 0) box.current.style.transform = `translateX(${-beyond}px)`;
    box.current?.querySelector<HTMLElement>('input, select, button, a')?.focus({ preventScroll: true });
    const onPointer = (event: PointerEvent): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) close();
    };
    // The click that has opened it is over.
    const timer = setTimeout(() => addEventListener('pointerdown', onPointer));
    return () => {
      clearTimeout(timer);
      removeEventListener('pointerdown', onPointer);
      const { activeElement: now } = document;
      const isLost = now === document.body || now === null || element?.contains(now);
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  };
  return html`<div class="popover" role="dialog" aria-label=${label} ref=${box} onKeyDown=${onKeyDown}>
    ${children}
  </div>`;
}
