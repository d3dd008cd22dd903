import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../../api.ts';
import { Cell } from '../../cell.ts';
import { openModal } from '../../dialog.ts';
import { valueOf } from '../../events.ts';
import { type Field, isNumeric, type Resource } from '../../model.ts';
import { type References, ReferencesContext } from '../../reference.ts';
import { texts } from '../../texts.ts';
import { toast } from '../../toast.ts';
import { wholeNumber } from '../../value-text.ts';
import type { Errors } from '../draft.ts';
import { meantBy } from '../offer.ts';
import { brokenRules } from '../rules.ts';
import { missingIn } from '../save.ts';
import type { Readings } from '../typed-number.ts';
import { type Edits, read, startingValues } from '../values.ts';
import { type CellReading, readCell } from './cells.ts';
import { fieldsOfColumns, hasHeader, readTable, type Table } from './table.ts';

/** A row that is added to a draft: the contents of its controls, and what is wrong with them. */
interface PastedRow {
  readonly edits: Edits;
  readonly errors: Errors;
}

/** More rows would make the page slow; an import takes them. */
const maxRows = 500;

/** So many names are looked for at once. */
const maxSearches = 8;

/** The ids that texts of a field mean, by the field and the text; null if they mean no record, or several. */
type Found = ReadonlyMap<string, string | null>;

/** How a number is meant that can be read in two ways. */
type Notation = keyof Readings;

const keyOf = (field: Field, text: string): string => `${field.name}\0${text}`;

/** Finds the record that a text means: by its id, or by its name. */
async function find(references: References, { references: routes = [] }: Field, text: string): Promise<string | null> {
  const route = references.routeOf(routes, text);
  const target = references.resourceOf(route);
  if (!target) return text;
  if (target.idForm.test(text)) {
    await references.load(target.route, text);
    return references.target(target.route, text)?.href === undefined ? null : text;
  }
  const record = target.can.list ? await meantBy(references, target, text) : undefined;
  if (!record) return null;
  references.learn(target, record);
  return String(record['id']);
}

/** The rows of a preview, with the reading of each cell. */
interface Preview {
  readonly fields: readonly Field[];
  readonly rows: readonly (PastedRow & {
    readonly cells: ReadonlyMap<Field, CellReading & { readonly text: string }>;
  })[];
  /** Cells that name records that were not looked for yet. */
  readonly waiting: readonly (readonly [Field, string])[];
  /** Names of columns that belong to no field. */
  readonly unused: readonly string[];
}

/** The choices of the person, and the records that were found. */
interface Choices {
  readonly isHeader: boolean;
  readonly notation: Notation | undefined;
  readonly found: Found;
}

function readRows(
  resource: Resource,
  all: readonly Field[],
  table: Table,
  { isHeader, notation, found }: Choices,
): Preview {
  const width = table.reduce((most, { length }) => Math.max(most, length), 0);
  const header = isHeader ? table[0] : undefined;
  const columns = fieldsOfColumns(all, header, width);
  const waiting = new Map<string, readonly [Field, string]>();
  const readAt = (field: Field, text: string): CellReading => {
    if (!field.references) return readCell(field, text, notation);
    const id = found.get(keyOf(field, text));
    if (id === undefined) waiting.set(keyOf(field, text), [field, text]);
    return { input: id ?? text, problem: id === null ? texts.wrong.noRecord : undefined };
  };
  const base = startingValues(all);
  const rows = table.slice(isHeader ? 1 : 0, maxRows + 1).map((row) => {
    const cells = new Map(
      columns.flatMap((field, at) => {
        const text = row[at] ?? '';
        return field && text !== '' ? [[field, { ...readAt(field, text), text }] as const] : [];
      }),
    );
    const edits = Object.fromEntries([...cells].map(([{ name }, { input }]) => [name, input]));
    const wrong = [...cells].flatMap(([{ name }, { problem }]) => (problem === undefined ? [] : [[name, problem]]));
    const missing = missingIn(resource, { base, edits });
    const broken = wrong.length > 0 ? [] : brokenRules(resource, { base, edits });
    const errors: Errors = {
      fields: {
        ...missing,
        ...Object.fromEntries(broken.flatMap(({ field, message }) => (field ? [[field, message]] : []))),
        ...Object.fromEntries(wrong),
      },
      general: broken.flatMap(({ field, message }) => (field ? [] : [message])),
    };
    return { cells, edits, errors };
  });
  const isNamed = (field: Field): boolean =>
    columns.includes(field) || rows.some(({ errors }) => errors.fields[field.name] !== undefined);
  return {
    fields: all.filter(isNamed),
    rows,
    waiting: [...waiting.values()],
    unused: columns.flatMap((field, at) => (field ? [] : [header?.[at] || texts.paste.column(at + 1)])),
  };
}

interface PasteProps {
  readonly resource: Resource;
  /** The fields of its table, in the order of the columns. */
  readonly fields: readonly Field[];
  readonly references: References;
  /** The cells that were copied; empty if they are pasted into the dialog. */
  readonly text: string;
  readonly add: (rows: readonly PastedRow[]) => void;
  readonly close: () => void;
}

/** A preview of copied rows, with what is wrong in each cell. */
function Paste({ resource, fields, references, text: copied, add, close }: PasteProps): VNode {
  const [text, setText] = useState(copied);
  const [isHeader, setHeader] = useState<boolean>();
  const [notation, setNotation] = useState<Notation>();
  const [found, setFound] = useState<Found>(new Map());
  const table = readTable(text);
  const isNamed = isHeader ?? hasHeader(fields, table);
  const {
    fields: shown,
    rows,
    waiting,
    unused,
  } = readRows(resource, fields, table, {
    isHeader: isNamed,
    notation,
    found,
  });
  const isTooLong = rows.length > maxRows;
  const [unclear] = rows.flatMap(({ cells }) => [...cells.values()].filter(({ readings }) => readings));
  useEffect(() => {
    const next = waiting.slice(0, maxSearches);
    if (next.length === 0 || isTooLong) return;
    let isWanted = true;
    const findOne = ([field, cell]: (typeof next)[number]): Promise<string | null> =>
      find(references, field, cell).catch((error: unknown) => {
        toast(messageOf(error), { isError: true });
        return null;
      });
    void Promise.all(next.map(findOne)).then((ids) => {
      if (!isWanted) return;
      setFound(
        (before) =>
          new Map([...before, ...next.map(([field, cell], at) => [keyOf(field, cell), ids[at] ?? null] as const)]),
      );
    });
    return () => {
      isWanted = false;
    };
  }, [text, isNamed, found]);
  const wrong = rows.reduce((sum, { errors }) => sum + Object.keys(errors.fields).length + errors.general.length, 0);
  const canAdd = rows.length > 0 && !isTooLong && waiting.length === 0;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!canAdd) return;
    close();
    add(rows);
  };
  const notes = [
    isTooLong && texts.paste.tooMany(wholeNumber(maxRows)),
    unused.length > 0 && rows.length > 0 && texts.paste.unused(unused.join(', ')),
    wrong > 0 && waiting.length === 0 && texts.paste.wrong(wrong),
    waiting.length > 0 && texts.paste.looking,
  ].filter(Boolean);
  return html`<form class="paste" onSubmit=${submit}>
    <h2 id="dialog-title">${texts.paste.title(resource.plural)}</h2>
    ${
      table.length === 0
        ? html`<label for="paste-text">${texts.paste.copyHere}</label>
            <textarea
              id="paste-text"
              rows="6"
              value=${text}
              autofocus
              onInput=${(event: Event) => setText(valueOf(event))}
            ></textarea>`
        : html`<label class="paste-header">
              <input
                type="checkbox"
                checked=${isNamed}
                onChange=${(event: Event) => setHeader((event.target as HTMLInputElement).checked)}
              />
              ${texts.paste.header}
            </label>
            ${unclear && html`<${NotationChoice} cell=${unclear} notation=${notation} choose=${setNotation} />`}
            ${!isTooLong && html`<${PreviewTable} fields=${shown} rows=${rows} />`}`
    }
    <p class="paste-notes" role="status">${notes.join(' ')}</p>
    <div class="actions">
      <button type="button" class="button" onClick=${close}>${texts.dialog.cancel}</button>
      <button class="button primary" autofocus=${table.length > 0} aria-disabled=${canAdd ? undefined : 'true'}>
        ${texts.paste.add(rows.length)}
      </button>
    </div>
  </form>`;
}

interface NotationProps {
  /** One of those that can be read in two ways. */
  readonly cell: CellReading & { readonly text: string };
  readonly notation: Notation | undefined;
  readonly choose: (notation: Notation) => void;
}

/** Asks how numbers are meant that can be read in two ways: all of them alike. */
const NotationChoice = ({ cell: { text, readings }, notation, choose }: NotationProps): VNode =>
  html`<fieldset class="notation">
    <legend>${texts.paste.meant(text)}</legend>
    ${(['thousands', 'decimals'] as const).map(
      (one) =>
        html`<label key=${one}>
          <input type="radio" name="notation" checked=${notation === one} onChange=${() => choose(one)} />
          ${readings?.[one]}
        </label>`,
    )}
  </fieldset>`;

/** The rows as they would be. */
function PreviewTable({ fields, rows }: Pick<Preview, 'fields' | 'rows'>): VNode {
  return html`<div class="table-frame" tabindex="0" role="region" aria-label=${texts.paste.preview}>
    <table>
      <thead>
        <tr>
          <th scope="col">#</th>
          ${fields.map((field) => html`<th scope="col" key=${field.name} class=${isNumeric(field) ? 'number' : undefined}>${field.title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ cells, errors }, at) =>
            html`<tr key=${at}>
              <td>
                ${wholeNumber(at + 1)}
                ${errors.general.map((message) => html`<p class="error-text" key=${message}>${message}</p>`)}
              </td>
              ${fields.map((field) => {
                const cell = cells.get(field);
                const error = errors.fields[field.name];
                const reading = cell && cell.problem === undefined ? read(field, cell.input) : undefined;
                const value = reading && 'value' in reading ? reading.value : undefined;
                return html`<td
                  key=${field.name}
                  class=${isNumeric(field) ? 'number' : undefined}
                  data-wrong=${error !== undefined}
                >
                  ${
                    value === undefined && cell
                      ? html`<bdi>${cell.text}</bdi>`
                      : html`<${Cell} value=${value} field=${field} isInLink=${true} />`
                  }
                  ${error !== undefined && html`<p class="error-text">${error}</p>`}
                </td>`;
              })}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Shows copied rows as they would be, and adds them once that is confirmed. Resolves when the dialog is closed. */
export const openPaste = (props: Omit<PasteProps, 'close'>): Promise<string> =>
  openModal(
    'dialog-title',
    (close) =>
      html`<${ReferencesContext.Provider} value=${props.references}>
        <${Paste} ...${{ ...props, close: () => close() }} />
      <//>`,
  );
