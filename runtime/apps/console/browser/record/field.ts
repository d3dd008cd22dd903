import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Value } from '../api.ts';
import type { Field } from '../model.ts';
import { counted } from '../text.ts';
import { Control } from './control.ts';
import { Doc } from './doc.ts';
import type { Input } from './values.ts';

export interface FieldProps {
  readonly field: Field;
  /** Begins the ids of its elements. */
  readonly scope: string;
  readonly input: Input;
  readonly stored: Value | undefined;
  readonly error: string | undefined;
  readonly suggestions?: readonly string[];
  readonly onInput: (name: string, input: Input) => void;
}

/** The part of the longest length that a text has when its counter appears. */
const nearLimit = 0.9;

/** How much room a text has left, near its limit. */
function roomOf({ maxLength }: Field, input: Input): string | undefined {
  if (maxLength === undefined || typeof input !== 'string' || input.length < maxLength * nearLimit) return undefined;
  const left = maxLength - [...input].length;
  return left < 0 ? `${counted(-left, 'character')} too many` : `${counted(left, 'character')} left`;
}

/** A text can be empty without being absent; of other values only the latter makes sense. */
const canBeEmpty = ({ type, format, values }: Field): boolean => type === 'string' && !format && !values;

/** The effect of the quiet button beside a label: it leads from a text to an empty one, and to none. */
function clearing({ field, input, stored }: FieldProps): { text: string; to: Input } | undefined {
  if (field.type === 'boolean') return undefined;
  const none = field.nullable ? null : stored === undefined ? undefined : null;
  const isNone = input === null || input === undefined;
  if (isNone) return canBeEmpty(field) ? { text: 'Blank on purpose', to: '' } : undefined;
  if (input === '' || field.nullable) return { text: 'Clear', to: none };
  return undefined;
}

/** A field of a form: its label, control, help, and what is wrong with it. */
export function FieldView(props: FieldProps): VNode {
  const { field, scope, input, stored, error, suggestions, onInput } = props;
  const id = `${scope}-${field.name}`;
  const room = roomOf(field, input);
  const clear = clearing(props);
  const parts = { error: error && `${id}-error`, room: room && `${id}-room`, doc: field.doc && `${id}-doc` };
  const describedBy = Object.values(parts).filter(Boolean).join(' ') || undefined;
  const set = (to: Input): void => onInput(field.name, to);
  const keyDown = (event: KeyboardEvent): void => {
    if (!(event.altKey && event.key === 'Backspace') || !clear) return;
    event.preventDefault();
    set(clear.to);
  };
  const isGroup = field.type === 'boolean' && !field.values;
  const name = html`${field.title}${
    field.required && html`<span class="required" aria-hidden="true" title="Required">*</span>`
  }`;
  return html`<div class=${error ? 'field wrong' : 'field'} data-field=${field.name} onKeyDown=${keyDown}>
    <div class="label-row">
      ${isGroup ? html`<span class="label" id=${`${id}-label`}>${name}</span>` : html`<label for=${id}>${name}</label>`}
      ${
        clear &&
        html`<button
          type="button"
          class="clear"
          tabindex="-1"
          title=${`${clear.text} (Alt+Backspace)`}
          aria-label=${`${clear.text}: ${field.title}`}
          onPointerDown=${(event: Event) => event.preventDefault()}
          onClick=${() => set(clear.to)}
        >
          ${clear.text}
        </button>`
      }
    </div>
    <${Control}
      ...${{ field, id, input, stored, describedBy, isInvalid: error !== undefined, onInput: set }}
      ...${suggestions ? { suggestions } : {}}
    />
    ${error && html`<p class="error-text" id=${parts.error}>${field.title} ${error}.</p>`}
    ${room && html`<p class="help" id=${parts.room}>${room}</p>`}
    ${field.doc && html`<p class="help" id=${parts.doc}><${Doc} text=${field.doc} /></p>`}
  </div>`;
}
