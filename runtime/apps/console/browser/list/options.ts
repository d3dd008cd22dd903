import { html } from 'htm/preact';
import type { RefObject, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Field, Resource } from '../model.ts';
import { texts } from '../texts.ts';
import type { Beside } from './beside.ts';
import type * as editors from './columns-editor.ts';
import type { Layout } from './columns.ts';
import { LazyPopover } from './lazy-popover.ts';
import { type ListQuery, viewParameters } from './query.ts';
import { SaveView } from './view-tabs.ts';

interface OptionsProps {
  readonly resource: Resource;
  readonly query: ListQuery;
  readonly columns: readonly Field[];
  readonly layout: Layout;
  readonly setLayout: (layout: Layout) => void;
  readonly show: (query: ListQuery, replace?: boolean) => void;
  /** Scrolls the table. */
  readonly box: RefObject<HTMLElement | null>;
  readonly beside: Beside;
}

/** The part of the width that a step to further columns passes. */
const step = 0.6;

/** The columns beside the window, the choice of columns, and the name of a list. */
export function Options({ resource, query, columns, layout, setLayout, show, box, beside }: OptionsProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const names = query.columns ?? layout.names;
  // The columns of a view are in its URL; they are not those that the list has otherwise.
  const setNames = (chosen: readonly string[]): void =>
    query.columns ? show({ ...query, columns: chosen }, true) : setLayout({ ...layout, names: chosen });
  const reset = (): void => {
    setLayout({ widths: {} });
    if (query.columns) show({ ...query, columns: undefined }, true);
  };
  const load = (): Promise<typeof editors> => import('./columns-editor.ts');
  const editor = ({ ColumnsEditor }: typeof editors): VNode =>
    html`<${ColumnsEditor} ...${{ resource, columns, layout, setNames, setLayout, reset }} />`;
  const isAtEnd = beside.after === 0;
  const scroll = (): void => {
    const element = box.current;
    if (isAtEnd) element?.scrollTo({ left: 0 });
    else element?.scrollBy({ left: element.clientWidth * step });
  };
  return html`<div class="options">
    ${
      (!isAtEnd || beside.isScrolled) &&
      html`<button class="button quiet beside" onClick=${scroll}>
        ${isAtEnd ? `← ${texts.columns.first}` : `+${texts.columns.more(beside.after)} →`}
      </button>`
    }
    <${SaveView}
      resource=${resource.route}
      parameters=${viewParameters(query)}
      kept=${viewParameters({ ...query, columns: names })}
    />
    <span class="popover-place">
      <button
        class="button quiet choose-columns"
        aria-label=${texts.columns.columns}
        aria-haspopup="dialog"
        aria-expanded=${isOpen}
        onClick=${() => setOpen(true)}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10" /></svg>
        <span>${texts.columns.columns}</span>
      </button>
      ${isOpen && html`<${LazyPopover} label=${texts.columns.columns} ...${{ close, load, show: editor }} />`}
    </span>
  </div>`;
}
