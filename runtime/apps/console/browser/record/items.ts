import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useContext, useRef, useState } from 'preact/hooks';
import { isPageCovered } from '../dialog.ts';
import { useWindowEvent } from '../events.ts';
import { loadPart } from '../loaded.ts';
import { type Field, isNumeric, type Resource } from '../model.ts';
import { ReferencesContext } from '../reference.ts';
import { texts } from '../texts.ts';
import { wholeNumber } from '../text.ts';
import {
  addRow,
  addRows,
  type Draft,
  editableFields,
  editRow,
  isBlank,
  isNew,
  type Items,
  toggleRow,
} from './draft.ts';
import { ItemRow, type ItemRowProps } from './item-row.ts';
import { useRowKeys } from './row-keys.ts';
import { useRowMoves } from './row-moves.ts';
import { errorsOfRow } from './rules.ts';
import type { Input } from './values.ts';

export interface ItemsProps {
  readonly draft: Draft;
  readonly items: Items;
  readonly isEditable: boolean;
  readonly change: (how: (draft: Draft) => Draft) => void;
  /** Reads the next page of items. */
  readonly more: () => Promise<void>;
  /** Shows the events of an item; false if the key may not read them. */
  readonly showHistory: ItemRowProps['showHistory'];
}

/** So many fields have a column of their own; the others open below their row. */
const maxColumns = 5;

/** The fields in the table, and those below its rows. */
function columnsOf(resource: Resource): Pick<ItemRowProps, 'columns' | 'details'> {
  const all = editableFields(resource);
  const isListed = ({ name }: Field): boolean => resource.columns.some((column) => column.name === name);
  const rank = (field: Field): number => (field.required ? 0 : isListed(field) ? 1 : 2);
  if (all.length <= maxColumns + 1) return { columns: all, details: [] };
  const wanted = new Set(all.toSorted((a, b) => rank(a) - rank(b)).slice(0, maxColumns));
  return { columns: all.filter((field) => wanted.has(field)), details: all.filter((field) => !wanted.has(field)) };
}

/** The headings of the columns. */
const Headings = ({ columns, isEditable }: { columns: readonly Field[]; isEditable: boolean }): VNode =>
  html`<thead role="rowgroup">
    <tr role="row">
      <th role="columnheader" class="place">#</th>
      ${columns.map(
        (field) =>
          html`<th role="columnheader" key=${field.name} class=${isNumeric(field) ? 'number' : undefined}>
            ${field.title} ${field.required && isEditable && html`<span class="required" aria-hidden="true">*</span>`}
          </th>`,
      )}
      <th role="columnheader"><span class="hidden">${texts.items.actions}</span></th>
    </tr>
  </thead>`;

interface FootProps extends Pick<ItemsProps, 'items' | 'more'> {
  readonly mayAdd: boolean;
  readonly add: () => void;
  readonly paste: () => void;
}

/** The buttons below the rows. */
function Foot({ items: { rows, total, hasMore }, more, mayAdd, add, paste }: FootProps): VNode {
  const [isLoading, setLoading] = useState(false);
  const load = async (): Promise<void> => {
    if (isLoading) return;
    setLoading(true);
    await more().finally(() => setLoading(false));
  };
  return html`<div class="items-foot">
    ${
      mayAdd &&
      html`<button type="button" class="button" onClick=${add}>
          <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M8 3v10M3 8h10" /></svg>${texts.items.addRow}
        </button>
        <button type="button" class="button quiet" onClick=${paste}>${texts.paste.action}</button>`
    }
    ${
      hasMore &&
      html`<button type="button" class="button quiet" aria-disabled=${isLoading ? 'true' : undefined} onClick=${load}>
        ${texts.items.showMore(wholeNumber(total - rows.filter((row) => !isNew(row)).length))}
      </button>`
    }
  </div>`;
}

/** Opens the dialog that makes rows of a text, or asks for one. */
function usePaste({ items, change }: ItemsProps, fields: readonly Field[], focusSoon: (selector: string) => void) {
  const { resource, rows } = items;
  const references = useContext(ReferencesContext);
  const start = rows.filter((row) => !isBlank(resource, row)).length;
  const add = (pasted: Parameters<typeof addRows>[2]): void => {
    const at = pasted.findIndex(({ errors }) => Object.keys(errors.fields).length > 0);
    const row = `[data-row="${start + Math.max(at, 0)}"]`;
    focusSoon(at < 0 ? `${row} :is(input, select, textarea)` : `${row} [aria-invalid="true"]`);
    change((current) => addRows(current, resource.path, pasted));
  };
  return async (text: string): Promise<void> => {
    const loaded = await loadPart(() => import('./paste/dialog.ts'));
    await loaded?.openPaste({ resource, fields, references, text, add });
  };
}

/** The text of a paste that is several cells: it becomes rows. A text of several lines stays one where there is room for it. */
function pastedCells(event: ClipboardEvent): string | undefined {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  const isLong = (event.target as HTMLElement).matches('textarea.long');
  return text.includes('\t') || (!isLong && text.trim().includes('\n')) ? text : undefined;
}

/** Whether a paste beside the rows can be meant for nothing else: they are what is seen, and no field that takes text has the focus. */
const isForRows = (target: EventTarget | null): boolean =>
  !isPageCovered() &&
  !(
    target instanceof Element &&
    target.matches('textarea, input:not([type^=date], [type=checkbox], [type=radio], .number)')
  );

/** The line items of a record, edited in place. They are stored together with it. */
export function ItemsTable(props: ItemsProps): VNode {
  const { draft, items, isEditable, change, more, showHistory } = props;
  const { resource, rows, total } = items;
  const { path, plural, doc, can } = resource;
  const fields = columnsOf(resource);
  const table = useRef<HTMLElement>(null);
  const mayAdd = isEditable && can.create;
  const add = (): void => {
    focusSoon(`[data-row="${rows.length}"] :is(input, select, textarea)`);
    change((current) => addRow(current, path));
  };
  const { focusSoon, keyDown } = useRowKeys(table, rows.length, can.create ? add : undefined);
  const moves = useRowMoves(props, focusSoon);
  const paste = usePaste(props, [...fields.columns, ...fields.details], focusSoon);
  useWindowEvent('paste', (event) => {
    const { target } = event;
    const isInRows = target instanceof Node && table.current?.contains(target) === true;
    const text =
      mayAdd && (isInRows || (draft.items.length === 1 && isForRows(target))) ? pastedCells(event) : undefined;
    if (text === undefined) return;
    event.preventDefault();
    void paste(text);
  });
  const title = `${path.split('/').at(-1)}-title`;
  const rowProps = (row: Items['rows'][number], at: number): ItemRowProps => ({
    ...fields,
    resource,
    row,
    at,
    isEditable: isEditable && (isNew(row) || can.update),
    errors: errorsOfRow(draft, resource, row),
    handle: moves.handle(at),
    showHistory: !isNew(row) && showHistory,
    onInput: (name: string, input: Input) => change((current) => editRow(current, path, row.key, name, input)),
    onToggle:
      isEditable && (isNew(row) || can.delete)
        ? () => {
            // A new row goes: the one in its place gets the focus.
            if (isNew(row))
              focusSoon(`[data-row="${Math.min(at, rows.length - 2)}"] .row-actions > :last-child, .items-foot button`);
            change((current) => toggleRow(current, path, row.key));
          }
        : undefined,
  });
  return html`<section class="items" aria-labelledby=${title} ref=${table}>
    <div class="items-head">
      <h2 id=${title} class=${path === draft.resource.path ? 'hidden' : undefined}>${plural}</h2>
      ${total > 0 && html`<span class="muted">${texts.counts.items(total)}</span>`}
    </div>
    ${doc && html`<p class="help">${doc}</p>`} ${moves.help}
    ${
      rows.length > 0
        ? html`<div class="table-frame">
            <table role="table" aria-labelledby=${title} onKeyDown=${keyDown}>
              <${Headings} columns=${fields.columns} isEditable=${isEditable} />
              <tbody role="rowgroup" data-rows>
                ${rows.map((row, at) => html`<${ItemRow} key=${row.key} ...${rowProps(row, at)} />`)}
              </tbody>
            </table>
          </div>`
        : html`<p class="muted none-yet">${texts.record.noneYet}</p>`
    }
    <${Foot} ...${{ items, more, mayAdd, add, paste: () => void paste('') }} />
  </section>`;
}
