import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { loadPart } from '../loaded.ts';
import { texts } from '../texts.ts';
import { Popover } from './popover.ts';

interface LazyPopoverProps<T> {
  readonly label: string;
  readonly close: () => void;
  readonly load: () => Promise<T>;
  readonly show: (loaded: T) => VNode;
}

/** A popover whose content is loaded when it is opened: most lists are only read. */
export function LazyPopover<T>({ label, close, load, show }: LazyPopoverProps<T>): VNode {
  const [loaded, setLoaded] = useState<{ readonly value: T }>();
  // A part that has been loaded before is there in the first frame.
  useLayoutEffect(() => {
    let isOpen = true;
    void loadPart(load).then((value) => {
      if (!isOpen) return;
      if (value === undefined) close();
      else setLoaded({ value });
    });
    return () => {
      isOpen = false;
    };
  }, []);
  // Another one is there in its place then: it takes the focus.
  return html`<${Popover} key=${loaded !== undefined} label=${label} close=${close}>
    ${loaded ? show(loaded.value) : html`<p class="muted waiting" role="status">${texts.list.loading}</p>`}
  <//>`;
}
