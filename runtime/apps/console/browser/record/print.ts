import { html } from 'htm/preact';
import { render, type VNode } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import { type Api, messageOf, type Value } from '../api.ts';
import { useLifetime, useWindowEvent } from '../events.ts';
import { printSoon } from '../list/printing.ts';
import { type Field, isFree, isNumeric } from '../model.ts';
import { ReferencesContext } from '../reference.ts';
import { texts } from '../texts.ts';
import { toast } from '../toast.ts';
import { textOf } from '../value-text.ts';
import { type Draft, editableFields, keptRows, type Row } from './draft.ts';
import { stateFieldOf } from '../stages.ts';
import { isTotal } from './facts.ts';
import { ValueView } from './field.ts';
import { groupsOf, ungrouped } from './form.ts';
import { loadAll } from './load.ts';
import { currentInput, read } from './values.ts';

/** Texts that are longer than this have a line of their own. */
const shortText = 60;

/** The value of a field as it is edited now; a text that is no value is shown as it was typed. */
function valueIn({ base, edits }: Pick<Row, 'base' | 'edits'>, field: Field): Value | undefined {
  const input = currentInput(base, edits, field);
  const reading = read(field, input);
  return 'value' in reading ? reading.value : String(input);
}

const isEmpty = (value: Value | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

interface Shown {
  readonly field: Field;
  readonly value: Value | undefined;
}

const shownOf = (edited: Pick<Row, 'base' | 'edits'>, fields: readonly Field[]): readonly Shown[] =>
  fields.map((field) => ({ field, value: valueIn(edited, field) })).filter(({ value }) => !isEmpty(value));

const Fields = ({ title, shown }: { title: string | undefined; shown: readonly Shown[] }): VNode | undefined =>
  shown.length === 0
    ? undefined
    : html`<section>
        ${title !== undefined && html`<h2>${title}</h2>`}
        <dl>
          ${shown.map(
            ({ field, value }) =>
              html`<div
                key=${field.name}
                class=${isFree(field) || textOf(value, field).length > shortText ? 'long' : undefined}
              >
                <dt>${field.title}</dt>
                <dd><${ValueView} field=${field} value=${value} /></dd>
              </div>`,
          )}
        </dl>
      </section>`;

/** Line items as a table, without the columns that none of them has a value in. */
function Items({ items }: { items: Draft['items'][number] }): VNode | undefined {
  const { resource } = items;
  const rows = keptRows(items).map((row) => shownOf(row, editableFields(resource)));
  const fields = editableFields(resource).filter((field) => rows.some((row) => row.some((one) => one.field === field)));
  if (rows.length === 0) return undefined;
  const kind = (field: Field): string | undefined => (isNumeric(field) ? 'number' : undefined);
  return html`<section>
    <h2>${resource.plural}</h2>
    <table>
      <thead>
        <tr>
          <th class="number">#</th>
          ${fields.map((field) => html`<th key=${field.name} class=${kind(field)}>${field.title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row, at) =>
            html`<tr key=${at}>
              <td class="number">${at + 1}</td>
              ${fields.map((field) => {
                const value = row.find((one) => one.field === field)?.value;
                return html`<td key=${field.name} class=${kind(field)}>
                  ${!isEmpty(value) && html`<${ValueView} field=${field} value=${value} />`}
                </td>`;
              })}
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** A record as it is printed: what has a value, and nothing to press. */
function PrintPage({ draft, heading }: { draft: Draft; heading: string }): VNode {
  const { resource } = draft;
  const state = stateFieldOf(resource);
  const apart = new Set(['id', state?.name, ...resource.fields.filter(isTotal).map(({ name }) => name)]);
  const shown = (fields: readonly Field[]): readonly Shown[] =>
    shownOf(
      draft,
      fields.filter(({ name }) => !apart.has(name)),
    );
  const groups = groupsOf(draft, undefined);
  const totals = shownOf(draft, resource.fields.filter(isTotal));
  const stateText = state && textOf(valueIn(draft, state), state);
  return html`
    <header>
      <p>${resource.title}</p>
      <h1>${heading}</h1>
      ${stateText && html`<p>${state?.title}: <strong>${stateText}</strong></p>`}
    </header>
    ${groups.map(({ title, fields }) => html`<${Fields} key=${title} title=${title} shown=${shown(fields)} />`)}
    <${Fields}
      title=${groups.length > 0 ? texts.record.otherFields : undefined}
      shown=${shown(ungrouped(resource, false))}
    />
    ${draft.items.map((items) => html`<${Items} key=${items.resource.path} items=${items} />`)}
    <div class="totals"><${Fields} title=${undefined} shown=${totals} /></div>
  `;
}

interface Printing {
  /** The properties of the element that shows the record for paper, as long as it is printed. */
  readonly page: object;
  /** Prints it with all of its line items, also those that the form does not show. */
  readonly print: () => Promise<void>;
}

/** Prints a record as it is edited. */
export function usePrint(api: Api, draft: Draft, heading: string): Printing {
  const references = useContext(ReferencesContext);
  const page = useRef<HTMLDivElement>(null);
  const lifetime = useLifetime();
  const isLoading = useRef(false);
  const giveUp = useRef<() => void>(undefined);
  const show = (shown: Draft | undefined): void => {
    const content =
      shown &&
      html`<${ReferencesContext.Provider} value=${references}>
        <${PrintPage} draft=${shown} heading=${heading} />
      <//>`;
    if (page.current) render(content ?? null, page.current);
  };
  // The browser takes its picture once the listeners have returned: its own command prints what is there.
  useWindowEvent('beforeprint', () => page.current?.hasChildNodes() === false && show(draft));
  useWindowEvent('afterprint', () => show(undefined));
  const print = async (): Promise<void> => {
    if (isLoading.current) return;
    isLoading.current = true;
    try {
      const items = await Promise.all(draft.items.map((list) => loadAll(api, list, String(draft.id), lifetime)));
      show({ ...draft, items });
      giveUp.current?.();
      if (page.current) giveUp.current = printSoon(page.current);
    } catch (error) {
      if (!lifetime.aborted) toast(messageOf(error), { isError: true });
    } finally {
      isLoading.current = false;
    }
  };
  return { page: { ref: page, class: 'print-page print-only' }, print };
}
