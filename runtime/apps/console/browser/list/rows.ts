import { html } from 'htm/preact';
import type { ComponentChildren, RefObject, VNode } from 'preact';
import type { Beside } from './beside.ts';
import { type Selection, SelectionContext } from './selection.ts';
import { Cards, Table, type TableProps } from './table.ts';

interface RowsProps {
  readonly list: Omit<TableProps, 'width'>;
  /** Whether the rows are those of a page that is no longer wanted, or of none. */
  readonly isBusy: boolean;
  readonly isNarrow: boolean;
  readonly selection: Selection;
  /** Scrolls the rows. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly beside: Beside;
  readonly open: (event: MouseEvent) => void;
  /** A message in place of rows, if a page has none. */
  readonly children: ComponentChildren;
}

/** The rows of a page: a table, or cards on phones. Headings do not wait for the page. */
export function Rows({ list, isBusy, isNarrow, selection, box, beside, open, children }: RowsProps): VNode {
  const rows = isNarrow ? html`<${Cards} ...${list} />` : html`<${Table} ...${{ ...list, width: beside.width }} />`;
  return html`<div class=${beside.after > 0 ? 'frame more' : 'frame'}>
    <div class=${isBusy ? 'rows busy' : 'rows'} data-scrolled=${beside.isScrolled} ref=${box} onClick=${open}>
      ${children || html`<${SelectionContext.Provider} value=${selection}>${rows}<//>`}
    </div>
  </div>`;
}
