import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { valueOf } from '../events.ts';
import { texts } from '../texts.ts';
import type { Entry, Fault } from './rows.ts';
import { messages, RowsTable } from './table.ts';

/** As many rows as are shown at once: a file may have thousands that are wrong. */
const pageSize = 25;

interface WrongRowsProps {
  readonly columns: readonly string[];
  /** The indexes of the columns that are shown, in their order. */
  readonly order: readonly number[];
  readonly entries: readonly Entry[];
  /** Changes the text of a cell; without a column, the row gets as many cells as there are columns. */
  readonly edit: (entry: Entry, column?: number, text?: string) => void;
}

/** Enter and the arrow keys go from row to row, as in a spreadsheet. */
function moveOn(event: KeyboardEvent): void {
  const { key, shiftKey, target } = event;
  const cell = (target as HTMLElement).closest('td') as HTMLTableCellElement;
  const row = cell.parentElement as HTMLTableRowElement;
  const isBack = key === 'ArrowUp' || (key === 'Enter' && shiftKey);
  if (!isBack && key !== 'ArrowDown' && key !== 'Enter') return;
  event.preventDefault();
  const next = (isBack ? row.previousElementSibling : row.nextElementSibling) as HTMLTableRowElement | null;
  next?.cells[cell.cellIndex]?.querySelector('textarea')?.select();
}

/** The rows of a file that cannot be stored as they are, a page of them, with the errors at their cells. */
export function WrongRows({ columns, order, entries, edit }: WrongRowsProps): VNode {
  const [start, setStart] = useState(0);
  const shown = entries.slice(start, start + pageSize);
  const step = (label: string, to: number): VNode =>
    html`<button type="button" class="button" disabled=${to < 0 || to >= entries.length} onClick=${() => setStart(to)}>
      ${label}
    </button>`;
  const cell = (entry: Entry, column: number): VNode => {
    const { line } = entry.row;
    const errors = entry.errors.filter((fault) => fault.column === column);
    const doubts = entry.doubts.filter((fault) => fault.column === column);
    const id = `fault-${line}-${column}`;
    return html`<td key=${column}>
      <textarea
        rows="1"
        spellcheck=${false}
        aria-label=${texts.transfer.cell(columns[column] as string, line)}
        aria-invalid=${errors.length > 0}
        aria-describedby=${errors.length > 0 ? id : undefined}
        value=${entry.cells[column] ?? ''}
        onInput=${(event: Event) => edit(entry, column, valueOf(event))}
        onKeyDown=${moveOn}
      ></textarea>
      ${messages(errors, 'error-text', id)} ${messages(doubts, 'warn-text')}
    </td>`;
  };
  const headOf = (entry: Entry): VNode => {
    const { errors, doubts, cells, row } = entry;
    const isOfRow = ({ column = -1 }: Fault): boolean => !order.includes(column);
    return html`${texts.transfer.line(row.line)}
    ${errors.length === 0 && html`<span class="good-text">${texts.transfer.right}</span>`}
    ${messages(errors.filter(isOfRow), 'error-text')} ${messages(doubts.filter(isOfRow), 'warn-text')}
    ${
      cells.length !== columns.length &&
      html`<button type="button" class="button" onClick=${() => edit(entry)}>
        ${cells.length < columns.length ? texts.transfer.fillUp(columns.length) : texts.transfer.removeCells(cells.slice(columns.length).filter(Boolean).join(', '))}
      </button>`
    }` as VNode;
  };
  const heads = order.map((column) => html`<th key=${column} scope="col"><bdi>${columns[column]}</bdi></th>` as VNode);
  const rows = shown.map((entry) => ({
    key: entry.row.line,
    head: headOf(entry),
    cells: order.map((column) => cell(entry, column)),
    className: entry.errors.length === 0 ? 'mended' : '',
  }));
  return html`<${RowsTable} ...${{ label: texts.transfer.wrongRows, heads, rows }} /> ${
      entries.length > pageSize &&
      html`<div class="actions">
        <span class="muted" role="status">${texts.list.range(start + 1, start + shown.length, entries.length)}</span>
        ${step(texts.list.previousPage, start - pageSize)} ${step(texts.list.nextPage, start + pageSize)}
      </div>`
    }` as VNode;
}
