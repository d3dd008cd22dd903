import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Field, Resource } from '../model.ts';
import { type Condition, conditionsOf, filteredField, joinValues, splitValues } from './operators.ts';
import type { Filter } from './query.ts';

interface FilterEditorProps {
  readonly resource: Resource;
  /** The filter to edit; undefined for a new one. */
  readonly filter: Filter | undefined;
  /** Values of a field that have been seen: suggestions. */
  readonly seen: (field: string) => readonly string[];
  readonly apply: (filter: Filter) => void;
}

const inputTypes: Readonly<Record<string, string>> = { date: 'date', 'date-time': 'datetime-local' };

/** The value of an input as the API takes it: `datetime-local` has no time zone. */
const toApi = (text: string, { format }: Field, operator: string): string => {
  if (operator === 'in') return joinValues(splitValues(text).map((value) => value.trim()));
  return format === 'date-time' ? new Date(text).toISOString() : text;
};

const pad = (value: number): string => String(value).padStart(2, '0');

/** The reverse of `toApi`. */
function toInput(value: string, { format }: Field, operator: string): string {
  const date = new Date(value);
  if (operator === 'in' || format !== 'date-time' || Number.isNaN(date.getTime())) return value;
  const day = [String(date.getFullYear()).padStart(4, '0'), pad(date.getMonth() + 1), pad(date.getDate())].join('-');
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

interface ValueInputProps {
  readonly field: Field;
  readonly operator: string;
  readonly text: string;
  readonly suggestions: readonly string[];
  readonly onText: (text: string) => void;
}

function ValueInput({ field, operator, text, suggestions, onText }: ValueInputProps): VNode {
  const onInput = (event: Event): void => onText((event.target as HTMLInputElement | HTMLSelectElement).value);
  const values = field.type === 'boolean' ? ['true', 'false'] : field.values;
  if (values && operator !== 'in') {
    // An enum may have any values, like the names of what every object has.
    // Older records may have values that the field takes no longer.
    const options = new Set([...values, ...suggestions, ...(text === '' ? [] : [text])]);
    const label = (value: string): string => (field.type !== 'boolean' ? value : value === 'true' ? 'Yes' : 'No');
    return html`<select id="filter-value" value=${text} onChange=${onInput}>
      ${[...options].map((value) => html`<option key=${value} value=${value}>${label(value)}</option>`)}
    </select>`;
  }
  const isNumber = field.type === 'number' || field.type === 'integer';
  const type = operator === 'in' ? 'text' : (inputTypes[field.format ?? ''] ?? 'text');
  return html`<input
      id="filter-value"
      type=${type}
      inputmode=${isNumber && operator !== 'in' ? 'decimal' : undefined}
      list="filter-seen"
      autocomplete="off"
      placeholder=${operator === 'in' ? 'Values separated by commas' : undefined}
      value=${text}
      onInput=${onInput}
    />
    <datalist id="filter-seen">
      ${(values ?? suggestions).map((value) => html`<option key=${value} value=${value} />`)}
    </datalist>`;
}

const nameOf = ({ operator, value = '' }: Condition): string => `${operator} ${value}`;

/** The form that makes or changes a filter. */
export function FilterEditor({ resource, filter, seen, apply }: FilterEditorProps): VNode {
  const names = [...resource.filters.keys()];
  const [name, setName] = useState(filter?.field ?? (names[0] as string));
  const field = filteredField(resource, name);
  const conditions = conditionsOf(resource, name);
  const wanted =
    filter &&
    conditions.find(({ operator, value }) => operator === filter.operator && (value ?? filter.value) === filter.value);
  const [chosen, setChosen] = useState(wanted && nameOf(wanted));
  const condition = conditions.find((one) => nameOf(one) === chosen) ?? (conditions[0] as Condition);
  const [text, setText] = useState(
    filter && wanted?.value === undefined ? toInput(filter.value, field, filter.operator) : '',
  );
  const [firstValue = ''] =
    field.type === 'boolean' ? ['true'] : condition.operator === 'in' ? [] : (field.values ?? []);
  const value = text || firstValue;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const isReady =
      condition.value !== undefined || value !== '' || (field.type === 'string' && field.format === undefined);
    if (!isReady) {
      document.querySelector<HTMLElement>('#filter-value')?.focus();
      return;
    }
    apply({
      field: name,
      operator: condition.operator,
      value: condition.value ?? toApi(value, field, condition.operator),
    });
  };
  const chooseField = (event: Event): void => {
    setName((event.target as HTMLSelectElement).value);
    setChosen(undefined);
    setText('');
  };
  return html`<form class="filter-editor" onSubmit=${submit}>
    <label for="filter-field">Field</label>
    <select id="filter-field" value=${name} onChange=${chooseField}>
      ${names.map((one) => html`<option key=${one} value=${one}>${filteredField(resource, one).title}</option>`)}
    </select>
    <label for="filter-condition">Condition</label>
    <select
      id="filter-condition"
      value=${nameOf(condition)}
      onChange=${(event: Event) => setChosen((event.target as HTMLSelectElement).value)}
    >
      ${conditions.map((one) => html`<option key=${nameOf(one)} value=${nameOf(one)}>${one.text}</option>`)}
    </select>
    ${
      condition.value === undefined &&
      html`<label for="filter-value">Value</label>
        <${ValueInput}
          field=${field}
          operator=${condition.operator}
          text=${value}
          suggestions=${seen(name)}
          onText=${setText}
        />`
    }
    <div class="actions"><button class="button primary">${filter ? 'Apply' : 'Add filter'}</button></div>
  </form>`;
}
