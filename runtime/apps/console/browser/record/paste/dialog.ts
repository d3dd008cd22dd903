import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { weigh } from '../../../../../data/transfer/cells.ts';
import { type DecimalSign, SignEvidence } from '../../../../../data/transfer/notation.ts';
import { messageOf, type Value } from '../../api.ts';
import { openModal } from '../../dialog.ts';
import { valueOf } from '../../events.ts';
import type { Field, Resource } from '../../model.ts';
import { type References, ReferencesContext } from '../../reference.ts';
import { texts } from '../../texts.ts';
import { toast } from '../../toast.ts';
import { wholeNumber } from '../../text.ts';
import type { Errors } from '../draft.ts';
import { meantBy } from '../offer.ts';
import { cellField, matched } from '../../transfer/matching.ts';
import { type Entry, type Fault, RowReader } from '../../transfer/rows.ts';
import { messages, SignChoice, Values } from '../../transfer/table.ts';
import { type Edits, type Input, inputOf } from '../values.ts';
import { hasHeader, readTable, type Table } from './table.ts';

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

/** The rows of a preview. */
interface Preview {
  readonly entries: readonly Entry[];
  readonly evidence: SignEvidence;
  readonly sign: DecimalSign | undefined;
  /** Cells that name records that were not looked for yet. */
  readonly waiting: readonly (readonly [Field, string])[];
  /** Names of columns that belong to no field. */
  readonly unused: readonly string[];
}

/** The choices of the person, and the records that were found. */
interface Choices {
  readonly isHeader: boolean;
  readonly sign: DecimalSign | undefined;
  readonly found: Found;
}

/** Reads rows, with a column for each field: an empty cell is as if its column were missing. */
function readRows(
  resource: Resource,
  fields: readonly Field[],
  table: Table,
  { isHeader, sign: chosen, found }: Choices,
): Preview {
  const width = table.reduce((most, { length }) => Math.max(most, length), 0);
  const header = isHeader ? table[0] : undefined;
  const columns = Array.from({ length: width }, (_, at) => header?.[at] ?? '');
  const matching = header ? matched(columns, fields) : columns.map((_, at) => fields[at]?.name ?? '');
  const places = fields.map(({ name }) => matching.indexOf(name));
  const cellFields = fields.map((field) => ({ ...cellField(field), takesNull: false }));
  const rows = table.slice(header ? 1 : 0, maxRows + 1).map((row) => places.map((at) => row[at] || null));
  const evidence = new SignEvidence();
  for (const cells of rows) weigh(evidence, cellFields, cells);
  const sign = chosen ?? evidence.sign;
  const names = fields.map(({ name }) => name);
  const reader = new RowReader(resource, names, cellFields, sign);
  const waiting = new Map<string, readonly [Field, string]>();
  const entries = rows.map((cells, at) => {
    const missing: Fault[] = [];
    const ids = cells.map((text, column) => {
      const field = fields[column] as Field;
      if (!field.references || text === null) return text;
      const id = found.get(keyOf(field, text));
      if (id === undefined) waiting.set(keyOf(field, text), [field, text]);
      if (!id) missing.push({ column, message: id === null ? texts.wrong.noRecord : '' });
      return id ?? text;
    });
    const entry = reader.read({ line: at + 1, cells: ids });
    const isFound = ({ column }: Fault): boolean => missing.every((other) => other.column !== column);
    const wrong = [...entry.errors.filter(isFound), ...missing.filter(({ message }) => message !== '')];
    return { ...entry, errors: wrong.length > 0 ? wrong : entry.doubts };
  });
  return {
    entries,
    evidence,
    sign,
    waiting: [...waiting.values()],
    unused: matching.flatMap((name, at) => (name ? [] : [header?.[at] || texts.paste.column(at + 1)])),
  };
}

/** The contents of the controls of a row. */
function pastedRow(fields: readonly Field[], { row: { body }, cells, errors }: Entry): PastedRow {
  const edits = fields.flatMap((field, at) => {
    const { name, type, of } = field;
    const text = cells[at];
    if (!text) return [];
    const unread: Input = type === 'boolean' ? null : of ? [text] : text;
    return [[name, Object.hasOwn(body, name) ? inputOf(body[name] as Value, field) : unread] as const];
  });
  const atFields = errors.flatMap(({ column = -1, message }) => {
    const field = fields[column];
    return field ? [[field.name, message] as const] : [];
  });
  const general = errors.flatMap(({ column, message }) => (column === undefined ? [message] : []));
  return { edits: Object.fromEntries(edits), errors: { fields: Object.fromEntries(atFields), general } };
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
  const [chosen, setSign] = useState<DecimalSign>();
  const [found, setFound] = useState<Found>(new Map());
  const table = readTable(text);
  const isNamed = isHeader ?? hasHeader(fields, table);
  const choices = { isHeader: isNamed, sign: chosen, found };
  const { entries, evidence, sign, waiting, unused } = readRows(resource, fields, table, choices);
  const isTooLong = entries.length > maxRows;
  const form = useRef<HTMLFormElement>(null);
  // The box that the text was pasted into has gone, with the focus.
  useEffect(() => {
    if (table.length > 0) form.current?.querySelector<HTMLElement>('.primary')?.focus();
  }, [table.length > 0]);
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
  const wrong = entries.reduce((sum, { errors }) => sum + errors.length, 0);
  // A number that can be read in two ways would be read as if it stood alone.
  const isOpen = sign === undefined && evidence.example !== undefined;
  const canAdd = entries.length > 0 && !isTooLong && waiting.length === 0 && !isOpen;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!canAdd) return;
    close();
    add(entries.map((entry) => pastedRow(fields, entry)));
  };
  const notes = [
    isTooLong && texts.paste.tooMany(wholeNumber(maxRows)),
    unused.length > 0 && entries.length > 0 && texts.paste.unused(unused.join(', ')),
    wrong > 0 && waiting.length === 0 && texts.paste.wrong(wrong),
    waiting.length > 0 && texts.paste.looking,
  ].filter(Boolean);
  const columns = fields.flatMap((field, at) => {
    const isShown = entries.some(({ cells, errors }) => cells[at] || errors.some(({ column }) => column === at));
    return isShown ? [{ at, field, head: field.title }] : [];
  });
  const headOf = ({ row, errors }: Entry): VNode =>
    html`${wholeNumber(row.line)}
    ${messages(
      errors.filter(({ column }) => column === undefined),
      'error-text',
    )}` as VNode;
  return html`<form ref=${form} class="paste" onSubmit=${submit}>
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
            ${evidence.matters && html`<${SignChoice} ...${{ evidence, sign, choose: setSign }} />`}
            ${!isTooLong && html`<${Values} label=${texts.paste.preview} columns=${columns} entries=${entries} headOf=${headOf} />`}`
    }
    <p class="paste-notes" role="status">${notes.join(' ')}</p>
    <div class="actions">
      <button type="button" class="button" onClick=${close}>${texts.dialog.cancel}</button>
      <button class="button primary" autofocus=${table.length > 0} aria-disabled=${canAdd ? undefined : 'true'}>
        ${texts.paste.add(entries.length)}
      </button>
    </div>
  </form>`;
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
