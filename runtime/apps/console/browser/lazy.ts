import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { LineItemsPageProps } from './line-items.ts';
import { Loading } from './loading.ts';
import type * as pages from './pages.ts';
import type { RecordPageProps } from './record.ts';

let loaded: typeof pages | undefined;

/** Loads the pages that forms are on, and all that they need: nothing that the first page of the console waits for. */
export async function loadPages(): Promise<typeof pages> {
  loaded ??= await import('./pages.ts');
  return loaded;
}

/** A page that `use` makes once it can. */
function Later({ title, use }: { title: string; use: (module: typeof pages) => VNode }): VNode {
  const [module, setModule] = useState(loaded);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (!module) loadPages().then(setModule, () => setFailed(true));
  }, []);
  if (module) return use(module);
  if (!hasFailed) return html`<${Loading} title=${title} />`;
  return html`<div class="empty">
    <h1 tabindex="-1">This cannot be shown</h1>
    <p>A part of the console could not be loaded. Check the connection.</p>
    <button class="button" onClick=${() => location.reload()}>Try again</button>
  </div>`;
}

/** `RecordPage`, once it is loaded. */
export const LaterRecordPage = (props: RecordPageProps): VNode =>
  html`<${Later}
    title=${props.resource.title}
    use=${({ RecordPage }: typeof pages) => html`<${RecordPage} ...${props} />`}
  />`;

/** `LineItemsPage`, once it is loaded. */
export const LaterLineItemsPage = (props: LineItemsPageProps): VNode =>
  html`<${Later}
    title=${props.resource.title}
    use=${({ LineItemsPage }: typeof pages) => html`<${LineItemsPage} ...${props} />`}
  />`;
