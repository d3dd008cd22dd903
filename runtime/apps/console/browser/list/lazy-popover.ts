import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadPart } from '../loaded.ts';
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
  useEffect(() => {
    void loadPart(load).then((value) => (value === undefined ? close() : setLoaded({ value })));
  }, []);
  return html`${loaded && html`<${Popover} label=${label} close=${close}>${show(loaded.value)}<//>`}`;
}
