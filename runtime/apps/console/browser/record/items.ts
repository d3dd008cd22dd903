import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RecordData } from '../api.ts';
import { dragRow } from '../drag-rows.ts';
import { loadPart } from '../loaded.ts';
import { type Field, isNumeric, type Resource } from '../model.ts';
import { ReferencesContext } from '../reference.ts';
import { texts } from '../texts.ts';
import {
  addRow,
  addRows,
  type Draft,
  editableFields,
  editRow,
  isBlank,
  isNew,
  type Items,
  moveRow,
  toggleRow,
} from './draft.ts';
import { ItemRow } from './item-row.ts';
import { errorsOfRow } from './rules.ts';
import type { Input } from './values.ts';
import { wholeNumber } from '../value-text.ts';

interface ItemsTableProps {
  readonly draft: Draft;
  readonly items: Items;
  readonly isEditable: boolean;
  readonly change: (how: (draft: Draft) => Draft) => void;
  /** Reads the next page of items. */
  readonly more: () => Promise<void>;
  /** Shows the events of an item; false if the key may not read them. */
  readonly showHistory: ((record: Partial<RecordData>) => VNode) | false;
}

/** So many fields have a column of their own; the others open below their row. */
const maxColumns = 5;

/** The fields in the table, and those below its rows. */
function columnsOf(resource: Resource): { readonly columns: readonly Field[]; readonly details: readonly Field[] } {
  const all = editableFields(resource);
  const isListed = ({ name }: Field): boolean => resource.columns.some((column) => column.name === name);
  const wanted = [...all].toSorted((a, b) => rank(a) - rank(b)).slice(0, maxColumns + 1);
  function rank(field: Field): number {
    return field.required ? 0 : isListed(field) ? 1 : 2;
  }
  const columns =
    all.length <= maxColumns + 1 ? all : all.filter((field) => wanted.slice(0, maxColumns).includes(field));
  return { columns, details: all.filter((field) => !columns.includes(field)) };
}

/** New items are stored behind those that are not loaded: they have no place among the others before. */
const movableCount = ({ rows, hasMore }: Items): number =>
  hasMore ? rows.filter((row) => !isNew(row)).length : rows.length;

/** The line items of a record, edited in place. They are stored together with it. */
export function ItemsTable({ draft, items, isEditable, change, more, showHistory }: ItemsTableProps): VNode {
  const { resource, rows, total, hasMore } = items;
  const { path, plural, can } = resource;
  const { columns, details } = columnsOf(resource);
  const [said, say] = useState('');
  const [isLoading, setLoading] = useState(false);
  const references = useContext(ReferencesContext);
  const table = useRef<HTMLTableElement>(null);
  /** The element that gets the focus once the table is drawn anew. */
  const wanted = useRef<string>('');
  // Before the next key is pressed.
  useLayoutEffect(() => {
    if (wanted.current === '') return;
    table.current?.querySelector<HTMLElement>(wanted.current)?.focus();
    wanted.current = '';
  });
  const movable = isEditable && can.reorder ? movableCount(items) : 0;
  const id = path.split('/').at(-1) ?? '';

  const announce = (to: number): void => say(texts.items.moved(to + 1, movable));
  const move = (from: number, to: number): void => change((current) => moveRow(current, path, from, to));
  const moveByKey = (from: number, to: number): void => {
    if (to < 0 || to >= movable || to === from) return;
    wanted.current = `[data-row="${to}"] .handle`;
    move(from, to);
    announce(to);
  };
  const add = (): void => {
    wanted.current = `[data-row="${rows.length}"] :is(input, select, textarea)`;
    change((current) => addRow(current, path));
  };
  const handle = (at: number) => ({
    onPointerDown: (event: PointerEvent) => dragRow(event, at, (from, to) => to < movable && move(from, to), announce),
    onKeyDown: (event: KeyboardEvent) => {
      const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: movable - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      moveByKey(at, to);
    },
  });
  /** Enter goes on in the next row, and makes one at the end. */
  const keyDown = (event: KeyboardEvent): void => {
    const control = event.target as HTMLElement;
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || !control.matches('input, textarea')) return;
    if (event.ctrlKey || event.metaKey || control.closest('.more')) return;
    event.preventDefault();
    const row = Number(control.closest<HTMLElement>('[data-row]')?.dataset['row']);
    const name = CSS.escape((control as HTMLInputElement).name);
    if (row + 1 < rows.length)
      table.current?.querySelector<HTMLElement>(`[data-row="${row + 1}"] [name="${name}"]`)?.focus();
    else if (can.create) add();
  };
  const paste = async (text: string): Promise<void> => {
    const start = rows.filter((row) => !isBlank(resource, row)).length;
    const addAll = (pasted: Parameters<typeof addRows>[2]): void => {
      const at = pasted.findIndex(({ errors }) => Object.keys(errors.fields).length > 0);
      const row = `[data-row="${start + Math.max(at, 0)}"]`;
      wanted.current = at < 0 ? `${row} :is(input, select, textarea)` : `${row} [aria-invalid="true"]`;
      change((current) => addRows(current, path, pasted));
    };
    const loaded = await loadPart(() => import('./paste/dialog.ts'));
    await loaded?.openPaste({ resource, fields: [...columns, ...details], references, text, add: addAll });
  };
  /** Several cells become rows; a text of several lines stays one where there is room for it. */
  const pasteCells = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const isLong = (event.target as HTMLElement).matches('textarea.long');
    const isTable = text.includes('\t') || (!isLong && text.trim().includes('\n'));
    if (!isTable || !isEditable || !can.create) return;
    event.preventDefault();
    void paste(text);
  };
  const load = async (): Promise<void> => {
    setLoading(true);
    await more().finally(() => setLoading(false));
  };
  return html`<section class="items" aria-labelledby=${`${id}-title`} onPaste=${pasteCells}>
    <div class="items-head">
      <h2 id=${`${id}-title`} class=${path === draft.resource.path ? 'hidden' : undefined}>${plural}</h2>
      ${total > 0 && html`<span class="muted">${texts.counts.items(total)}</span>`}
    </div>
    ${resource.doc && html`<p class="help">${resource.doc}</p>`}
    ${movable > 1 && html`<p class="hidden" id=${`${id}-help`}>${texts.items.moveHelp}</p>`}
    ${
      rows.length > 0 &&
      html`<div class="table-frame">
        <table ref=${table} role="table" aria-labelledby=${`${id}-title`} onKeyDown=${keyDown}>
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader" class="place">#</th>
              ${columns.map(
                (field) =>
                  html`<th role="columnheader" key=${field.name} class=${isNumeric(field) ? 'number' : undefined}>
                    ${field.title}
                    ${field.required && isEditable && html`<span class="required" aria-hidden="true">*</span>`}
                  </th>`,
              )}
              <th role="columnheader"><span class="hidden">${texts.items.actions}</span></th>
            </tr>
          </thead>
          <tbody role="rowgroup" data-rows>
            ${rows.map(
              (row, at) =>
                html`<${ItemRow}
                  key=${row.key}
                  ...${{
                    resource,
                    row,
                    at,
                    columns,
                    details,
                    isEditable: isEditable && (isNew(row) || can.update),
                    errors: errorsOfRow(draft, resource, row),
                    handle: at < movable && movable > 1 ? handle(at) : undefined,
                    helpId: `${id}-help`,
                    showHistory: !isNew(row) && showHistory,
                    onInput: (name: string, input: Input) =>
                      change((current) => editRow(current, path, row.key, name, input)),
                    onToggle:
                      isEditable && (isNew(row) || can.delete)
                        ? () => change((current) => toggleRow(current, path, row.key))
                        : undefined,
                  }}
                />`,
            )}
          </tbody>
        </table>
      </div>`
    }
    ${rows.length === 0 && html`<p class="muted none-yet">${texts.record.noneYet}</p>`}
    <div class="items-foot">
      ${
        isEditable &&
        can.create &&
        html`<button type="button" class="button" onClick=${add}>
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M8 3v10M3 8h10" /></svg>${texts.items.addRow}
          </button>
          <button type="button" class="button quiet" onClick=${() => void paste('')}>${texts.paste.action}</button>`
      }
      ${
        hasMore &&
        html`<button type="button" class="button quiet" disabled=${isLoading} onClick=${load}>
          ${texts.items.showMore(wholeNumber(total - rows.filter((row) => !isNew(row)).length))}
        </button>`
      }
    </div>
    <p class="hidden" aria-live="assertive">${said}</p>
  </section>`;
}
