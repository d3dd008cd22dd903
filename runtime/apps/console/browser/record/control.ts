import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { Value } from '../api.ts';
import { valueOf } from '../events.ts';
import { type Field, isFree, isFreeText, isNumeric } from '../model.ts';
import { ReferencesContext } from '../reference.ts';
import { texts } from '../texts.ts';
import { fromLocalTime, toLocalTime } from '../time.ts';
import { common, type ControlProps } from './control-props.ts';
import { ListInput } from './list-input.ts';
import { Pickers } from './picker.ts';
import { emptied, type Input, read, withLineEnds } from './values.ts';
import { textOf } from '../value-text.ts';

/** Longer texts are replaced as a whole: a text area of megabytes keeps a browser busy for minutes. */
const maxEdited = 50_000;

/** A very long text: its beginning and its length. */
const LargeText = ({ field, id, base, describedBy, label = field.title, onInput }: ControlProps): VNode => {
  const text = String(base);
  return html`<div class="large" id=${id} role="group" aria-label=${label} aria-describedby=${describedBy}>
    <bdi>${text.slice(0, 400)}…</bdi>
    <span class="muted">${texts.counts.characters(text.length)}</span>
    <button type="button" class="button quiet" onClick=${() => onInput('')}>${texts.field.replace}</button>
  </div>`;
};

/** Words that names of fields for long texts end in. */
export const longNames =
  /(^|_)(body|comments?|data|description|det(ails)?|display|information|log|message|notes?|options|reason|remarks|settings|terms|text|values)$/;

/** Texts of one line are at most so long. */
const lineLength = 80;

/** Whether a field has room for several lines; it does not change while the user types. */
const isLong = (field: Field, base: Value | undefined): boolean =>
  isFreeText(field) &&
  ((longNames.test(field.name) && (field.maxLength ?? Infinity) > lineLength * 2) ||
    (typeof base === 'string' && (base.length > lineLength || base.includes('\n'))));

const textIn = (input: Input): string => (typeof input === 'string' ? input.replaceAll(/\r\n?/g, '\n') : '');

/** Examples of the formats that have no picker. */
const examples: Readonly<Record<string, string>> = {
  time: '12:30:00Z',
  uuid: '9f86d081-884c-4d65-9a2f-eaa0c55ad015',
  email: 'name@example.com',
  uri: 'https://example.com/path',
};

const inputModes: Readonly<Record<string, string>> = { email: 'email', uri: 'url' };

/** The words for the value that a create copies into a field that has been given none. */
const copyIn = ({ copiedFrom }: Field, input: Input): string | undefined =>
  copiedFrom === undefined || input !== undefined ? undefined : texts.field.from(copiedFrom);

/** The option of a choice that is no value. */
const noneIn = (field: Field, input: Input): string =>
  copyIn(field, input) ?? (field.required && input === undefined ? texts.field.choose : '–');

function placeholderOf(field: Field, input: Input): string | undefined {
  const { format = '', default: value } = field;
  const copy = copyIn(field, input);
  if (copy !== undefined) return copy;
  if (value !== undefined) return texts.field.default(textOf(value, field));
  return examples[format];
}

/** A choice of listed values, and of yes and no in a cell of a table. */
function Choice(props: ControlProps): VNode {
  const { field, input, onInput } = props;
  const values: readonly (string | boolean)[] = field.values ?? [true, false];
  const hasNone = field.nullable || input === undefined || input === null;
  const isKnown = typeof input !== 'string' || values.includes(input);
  const onChange = (event: Event): void => {
    const { selectedIndex, value } = event.target as HTMLSelectElement;
    const isNone = hasNone && selectedIndex === 0;
    onInput(isNone ? emptied(field, undefined) : (values.find((option) => String(option) === value) ?? value));
  };
  const labelOf = (value: string | boolean): string => (typeof value === 'string' ? value : textOf(value, field));
  return html`<select ...${common(props)} value=${String(input ?? '')} onChange=${onChange}>
    ${hasNone && html`<option value="">${noneIn(field, input)}</option>`}
    ${!isKnown && html`<option value=${input}>${input}</option>`}
    ${values.map((value) => html`<option key=${value} value=${String(value)}>${labelOf(value)}</option>`)}
  </select>`;
}

function YesNo(props: ControlProps): VNode {
  const { field, id, input, label = field.title, onInput } = props;
  const options = [
    { value: true, text: texts.values.yes, name: texts.values.yes },
    { value: false, text: texts.values.no, name: texts.values.no },
    ...(field.nullable ? [{ value: null, text: '–', name: texts.values.none }] : []),
  ];
  return html`<div class="segments" role="radiogroup" ...${common({ ...props, label })}>
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

const pickers: Readonly<Record<string, string>> = { date: 'date', 'date-time': 'datetime-local' };

/** The picker of a field. It shows no year before 1, and nothing that is no date: such a value is edited as text. */
const pickerOf = ({ format = '' }: Field, input: Input): string | undefined =>
  typeof input !== 'string' ||
  input === '' ||
  (/^(?!0000)\d{4}-\d\d-\d\d/.test(input) && !Number.isNaN(Date.parse(input)))
    ? pickers[format]
    : undefined;

/** A number, typed as the language of the browser writes it. Its thousands are apart while it is only read. */
function NumberLine(props: ControlProps): VNode {
  const { field, input, base, isInvalid, onInput } = props;
  const [isTyping, setTyping] = useState(false);
  const typed = textIn(input);
  const reading = isTyping || isInvalid || typed === '' ? undefined : read(field, typed);
  const shown = reading && 'value' in reading ? textOf(reading.value, field) : typed;
  /** At once, with all of it selected, as the Tab key does: the next key is for the text that stays. */
  const begin = ({ currentTarget: control }: FocusEvent & { currentTarget: HTMLInputElement }): void => {
    if (control.value !== typed) {
      control.value = typed;
      control.select();
    }
    setTyping(true);
  };
  return html`<input
    ...${common(props)}
    type="text"
    class="number"
    inputmode=${field.type === 'integer' ? 'numeric' : 'decimal'}
    autocomplete="off"
    spellcheck=${false}
    placeholder=${placeholderOf(field, input)}
    value=${shown}
    onFocus=${begin}
    onBlur=${() => setTyping(false)}
    onInput=${(event: Event) => onInput(valueOf(event) || emptied(field, base))}
  />`;
}

function Line(props: ControlProps): VNode {
  const { field, input, base, suggestions, id, onInput } = props;
  const picker = pickerOf(field, input);
  const isTime = picker === 'datetime-local';
  const onChange = (event: Event): void => {
    const text = valueOf(event);
    onInput((isTime ? fromLocalTime(text) : text) || emptied(field, base));
  };
  const hasList = suggestions !== undefined && suggestions.length > 0;
  return html`<input
      ...${common(props)}
      type=${picker ?? 'text'}
      class=${picker && textIn(input) === '' ? 'unset' : undefined}
      inputmode=${inputModes[field.format ?? '']}
      autocomplete="off"
      spellcheck=${false}
      list=${hasList ? `${id}-list` : undefined}
      placeholder=${placeholderOf(field, input)}
      value=${isTime ? toLocalTime(textIn(input)) : textIn(input)}
      onInput=${onChange}
    />${
      hasList &&
      html`<datalist id=${`${id}-list`}>
        ${suggestions.map((value) => html`<option key=${value} value=${value} />`)}
      </datalist>`
    }`;
}

/** A text, which keeps its line ends: of one line where no more are expected, and Enter saves as in any such field. */
function Text(props: ControlProps): VNode {
  const { field, input, base, isCompact, onInput } = props;
  const long = isLong(field, base);
  const text = textIn(input);
  const onChange = (event: Event): void => onInput(withLineEnds(valueOf(event), base) || emptied(field, base));
  const keyDown = (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): void => {
    // In a table, Enter goes to the next row.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || long || isCompact) return;
    const { form } = event.currentTarget;
    // With Ctrl, it is a key of the page of a record.
    if ((event.ctrlKey || event.metaKey) && form?.matches('.record')) return;
    event.preventDefault();
    form?.requestSubmit();
  };
  const rows = Math.min(text.split('\n').length, 12);
  return html`<textarea
    ...${common(props)}
    dir="auto"
    class=${long ? 'long' : 'line'}
    rows=${Math.max(rows, long && !isCompact ? 3 : 1)}
    spellcheck=${long}
    autocomplete="off"
    placeholder=${placeholderOf(field, input)}
    value=${text}
    onInput=${onChange}
    onKeyDown=${keyDown}
  />`;
}

/** The JSON of an object or array of any form. */
function JsonInput(props: ControlProps): VNode {
  const { field, input, base, onInput } = props;
  const text = textIn(input);
  return html`<textarea
    ...${common(props)}
    class="long"
    rows=${Math.min(Math.max(text.split('\n').length, 3), 20)}
    spellcheck=${false}
    autocomplete="off"
    placeholder=${'{ "key": "value" }'}
    value=${text}
    onInput=${(event: Event) => onInput(valueOf(event) || emptied(field, base))}
  />`;
}

/** The control of a field, by its type. */
export function Control(props: ControlProps): VNode {
  const { field, isCompact } = props;
  const references = useContext(ReferencesContext);
  const resources = (field.references ?? []).flatMap((route) => references.resourceOf(route) ?? []);
  const listed = resources.filter(({ can }) => can.list);
  if (listed.length > 0) return html`<${Pickers} ...${{ ...props, resources: listed }} />`;
  if (field.of) return html`<${ListInput} ...${props} />`;
  if (isFree(field)) return html`<${JsonInput} ...${props} />`;
  if (field.values) return html`<${Choice} ...${props} />`;
  if (field.type === 'boolean') return html`<${isCompact ? Choice : YesNo} ...${props} />`;
  if (isNumeric(field)) return html`<${NumberLine} ...${props} />`;
  const { base, input } = props;
  if (typeof base === 'string' && base.length > maxEdited && input === base) return html`<${LargeText} ...${props} />`;
  return html`<${isFreeText(field) && !props.suggestions?.length ? Text : Line} ...${props} />`;
}
