import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { isList, type Value } from '../api.ts';
import { Cell } from '../cell.ts';
import { textOf } from '../value-text.ts';
import { type Field, helpOf, isFree } from '../model.ts';
import { RecordLink } from '../reference.ts';
import { Control } from './control.ts';
import type { Errors, Row } from './draft.ts';
import { Entries } from './list-input.ts';
import { currentInput, type Input, isFixed } from './values.ts';
import { texts } from '../texts.ts';

/** Longer texts are cut where they are only shown. */
const maxShown = 20_000;

/** A whole value that cannot be edited: none and an empty text are told apart, and no text reorders what is around it. */
export function ValueView({ field, value }: { field: Field; value: Value | undefined }): VNode {
  if (value === null || value === undefined) return html`<span class="none" aria-label=${texts.values.none}>–</span>`;
  if (value === '' || (isList(value) && value.length === 0 && !isFree(field)))
    return html`<span class="none">${texts.field.empty}</span>`;
  if (field.colors) return html`<${Cell} value=${value} field=${field} />`;
  if (field.references) return html`<${RecordLink} route=${field.references} id=${String(value)} />`;
  if (isFree(field)) return html`<pre class="value-text">${JSON.stringify(value, null, 2).slice(0, maxShown)}</pre>`;
  if (isList(value)) return html`<${Entries} field=${field} values=${value} />`;
  const text = textOf(value, field);
  return html`<bdi class="value-text">${text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`}</bdi>`;
}

/** An error with its field; the record that it names is a link. */
function errorWords(field: Field, error: string, conflicting: Errors['conflicting']): unknown {
  const [before, after] = texts.wrong.at(field.title, error).split(conflicting?.id ?? '\0');
  return after === undefined ? before : html`${before}<${RecordLink} ...${conflicting} />${after}`;
}

interface FieldProps {
  readonly field: Field;
  /** Begins the ids of its elements. */
  readonly scope: string;
  /** The record or the row that it is a field of. */
  readonly edited: Pick<Row, 'base' | 'edits'>;
  readonly errors: Errors | undefined;
  readonly isEditable: boolean;
  readonly suggestions?: readonly string[];
  readonly onInput: (name: string, input: Input) => void;
}

/** Whether the quiet button beside a label leads to no value. Other controls can be emptied by themselves. */
const canClear = ({ type, nullable }: Field, input: Input): boolean =>
  type !== 'boolean' && nullable && input !== null && input !== undefined;

/** A field of a form: its label, control or value, help, and what is wrong with it. */
export function FieldView({ field, scope, edited, errors, isEditable, suggestions, onInput }: FieldProps): VNode {
  const { name, title, type, values, required } = field;
  const base = edited.base[name];
  // A spec writes names and values in backticks.
  const doc = helpOf(field, edited.base['id'] !== undefined);
  const words = doc.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? html`<code key=${at}>${part}</code>` : part));
  const id = `${scope}-${name}`;
  const help = doc && html`<p class="help" id=${`${id}-doc`}>${words}</p>`;
  if (!isEditable || isFixed(field, edited.base))
    return html`<div class="field">
      <div class="label-row"><span class="label">${title}</span></div>
      <div class="value"><${ValueView} field=${field} value=${base} /></div>
      ${help}
    </div>`;
  const input = currentInput(edited.base, edited.edits, field);
  const error = errors?.fields[name];
  const isClearable = canClear(field, input);
  const describedBy = [error && `${id}-error`, doc && `${id}-doc`].filter(Boolean).join(' ') || undefined;
  const set = (to: Input): void => onInput(name, to);
  const keyDown = (event: KeyboardEvent): void => {
    if (!(event.altKey && event.key === 'Backspace') || !isClearable) return;
    event.preventDefault();
    set(null);
  };
  const label = html`${title}${required && html`<span class="required" aria-hidden="true" title=${texts.field.required}>*</span>`}`;
  return html`<div class="field" data-field=${name} onKeyDown=${keyDown}>
    <div class="label-row">
      ${type === 'boolean' && !values ? html`<span class="label">${label}</span>` : html`<label for=${id}>${label}</label>`}
      ${
        isClearable &&
        html`<button
          type="button"
          class="clear"
          tabindex="-1"
          title=${texts.field.clearKey}
          aria-label=${`${texts.field.clear}: ${title}`}
          onPointerDown=${(event: Event) => event.preventDefault()}
          onClick=${() => set(null)}
        >
          ${texts.field.clear}
        </button>`
      }
    </div>
    <${Control}
      ...${{ field, id, input, base, describedBy, isInvalid: error !== undefined, suggestions, onInput: set }}
    />
    ${error && html`<p class="error-text" id=${`${id}-error`}>${errorWords(field, error, errors?.conflicting)}</p>`}
    ${help}
  </div>`;
}
