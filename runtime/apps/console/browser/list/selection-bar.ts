import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadPart } from '../loaded.ts';
import type * as bars from './bulk/bar.ts';

/** The bar for the chosen records. Its modules are loaded when the first one is chosen. */
export function SelectionBar(props: bars.BarProps): VNode {
  const [loaded, setLoaded] = useState<typeof bars>();
  const isWanted = props.selection.count > 0;
  useEffect(() => {
    if (!isWanted || loaded) return;
    void loadPart(() => import('./bulk/bar.ts')).then(setLoaded);
  }, [isWanted]);
  return isWanted && loaded ? html`<${loaded.Bar} ...${props} />` : html``;
}
