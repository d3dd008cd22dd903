import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Value } from '../api.ts';
import type { Field } from '../model.ts';
import type { ControlProps } from './control-props.ts';
import { LargeText, maxInline } from './large-text.ts';
import { emptied, type Input, isNumeric, withLineEnds } from './values.ts';

/** Words that names of fields for long texts end in. */
const longNames =
  /(^|_)(body|comments?|data|description|det(ails)?|display|information|log|message|notes?|options|reason|remarks|settings|terms|text|values)$/;

/** Texts of one line are at most so long. */
const lineLength = 80;

/** Whether a field has room for several lines; it does not change while the user types. */
const isLong = ({ name, type, format, values, maxLength = Infinity }: Field, stored: Value | undefined): boolean =>
  type === 'string' &&
  !format &&
  !values &&
  ((longNames.test(name) && maxLength > lineLength * 2) ||
    (typeof stored === 'string' && (stored.length > lineLength || stored.includes('\n'))));

const shown = (input: Input): string => (typeof input === 'string' ? input.replaceAll(/\r\n?/g, '\n') : '');

/** Examples of the formats that have no picker. */
const examples: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:30:00Z',
  time: '12:30:00Z',
  uuid: '9f86d081-884c-4d65-9a2f-eaa0c55ad015',
  email: 'name@example.com',
  uri: 'https://example.com/path',
};

const inputModes: Readonly<Record<string, string>> = { email: 'email', uri: 'url' };

function placeholderOf({ format = '', default: value }: Field, input: Input): string | undefined {
  if (input === '') return 'Blank on purpose';
  if (value !== undefined) return `No value (default: ${value})`;
  return examples[format];
}

/** The attributes that all controls share. */
const common = ({ field, id, describedBy, isInvalid, label }: ControlProps): object => ({
  id,
  name: field.name,
  'aria-describedby': describedBy,
  'aria-invalid': isInvalid ? 'true' : undefined,
  'aria-required': field.required ? 'true' : undefined,
  'aria-label': label,
});

type TextEvent = Event & { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement };

function Choice(props: ControlProps): VNode {
  const { field, input, onInput } = props;
  const values = field.values ?? [];
  const isKnown = typeof input !== 'string' || values.includes(input);
  const change = ({
    currentTarget: { value, selectedIndex },
  }: TextEvent & { currentTarget: HTMLSelectElement }): void =>
    onInput(selectedIndex === 0 ? emptied(field, undefined) : value);
  return html`<select ...${common(props)} value=${input ?? ''} onChange=${change}>
    <option value="">${field.required && input === undefined ? 'Choose…' : '–'}</option>
    ${!isKnown && html`<option value=${input}>${input}</option>`}
    ${values.map((value) => html`<option key=${value} value=${value}>${value}</option>`)}
  </select>`;
}

function YesNo(props: ControlProps): VNode {
  const { field, id, input, label, describedBy, isInvalid, onInput } = props;
  const options = [
    { value: true, text: 'Yes', name: 'Yes' },
    { value: false, text: 'No', name: 'No' },
    ...(field.nullable ? [{ value: null, text: '–', name: 'No value' }] : []),
  ];
  return html`<div
    class="segments"
    role="radiogroup"
    id=${id}
    aria-label=${label ?? field.title}
    aria-describedby=${describedBy}
    aria-invalid=${isInvalid ? 'true' : undefined}
    aria-required=${field.required ? 'true' : undefined}
  >
    ${options.map(
      ({ value, text, name }) =>
        html`<label key=${text} title=${name}>
          <input
            type="radio"
            name=${id}
            aria-label=${name}
            checked=${input === value}
            onChange=${() => onInput(value)}
          />
          <span aria-hidden="true">${text}</span>
        </label>`,
    )}
  </div>`;
}

/** The control of a boolean in a cell of a table. */
function YesNoChoice(props: ControlProps): VNode {
  const { field, input, onInput } = props;
  const change = ({ currentTarget: { value } }: TextEvent): void =>
    onInput(value === '' ? emptied(field, undefined) : value === 'yes');
  return html`<select
    ...${common(props)}
    value=${typeof input === 'boolean' ? (input ? 'yes' : 'no') : ''}
    onChange=${change}
  >
    <option value="">–</option>
    <option value="yes">Yes</option>
    <option value="no">No</option>
  </select>`;
}

/** The day picker shows no year before 1: such a date is edited as text. */
const hasPicker = (input: Input): boolean =>
  typeof input !== 'string' || input === '' || (/^\d{4}-\d\d-\d\d$/.test(input) && !input.startsWith('0000'));

function Line(props: ControlProps): VNode {
  const { field, input, stored, suggestions, id, onInput } = props;
  const isDate = field.format === 'date' && hasPicker(input);
  const mode = isNumeric(field) ? (field.type === 'integer' ? 'numeric' : 'decimal') : inputModes[field.format ?? ''];
  const change = ({ currentTarget: { value } }: TextEvent): void =>
    onInput(value === '' ? emptied(field, stored) : value);
  const hasList = suggestions !== undefined && suggestions.length > 0;
  return html`<input
      ...${common(props)}
      type=${isDate ? 'date' : 'text'}
      class=${isNumeric(field) ? 'number' : isDate && shown(input) === '' ? 'unset' : undefined}
      inputmode=${mode}
      autocomplete="off"
      spellcheck=${false}
      list=${hasList ? `${id}-list` : undefined}
      placeholder=${placeholderOf(field, input)}
      value=${shown(input)}
      onInput=${change}
    />${
      hasList &&
      html`<datalist id=${`${id}-list`}>
        ${suggestions.map((value) => html`<option key=${value} value=${value} />`)}
      </datalist>`
    }`;
}

/** A text, which keeps its line ends: of one line where no more are expected, and Enter saves as in any such field. */
function Text(props: ControlProps): VNode {
  const { field, input, stored, isCompact, onInput } = props;
  const long = isLong(field, stored);
  const text = shown(input);
  const change = ({ currentTarget: { value } }: TextEvent): void =>
    onInput(value === '' ? emptied(field, stored) : withLineEnds(value, stored));
  const keyDown = (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): void => {
    // In a table, Enter goes to the next row.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || long || isCompact) return;
    event.preventDefault();
    if (!event.ctrlKey && !event.metaKey) event.currentTarget.form?.requestSubmit();
  };
  const rows = Math.min(text.split('\n').length, 12);
  return html`<textarea
    ...${common(props)}
    dir="auto"
    class=${text.length > maxInline ? 'fixed' : long ? 'long' : 'line'}
    rows=${Math.max(rows, long && !isCompact ? 3 : 1)}
    spellcheck=${long}
    autocomplete="off"
    placeholder=${placeholderOf(field, input)}
    value=${text}
    onInput=${change}
    onKeyDown=${keyDown}
  />`;
}

/** The control of a field, by its type. */
export function Control(props: ControlProps): VNode {
  const { field, isCompact } = props;
  if (field.values) return html`<${Choice} ...${props} />`;
  if (field.type === 'boolean') return html`<${isCompact ? YesNoChoice : YesNo} ...${props} />`;
  if (typeof props.stored === 'string' && props.stored.length > maxInline) return html`<${LargeText} ...${props} />`;
  const isText = field.type === 'string' && !field.format;
  return html`<${isText && !props.suggestions?.length ? Text : Line} ...${props} />`;
}
