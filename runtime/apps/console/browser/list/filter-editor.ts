import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { valueOf } from '../events.ts';
import { type Field, isFreeText, isNumeric, type Resource } from '../model.ts';
import { Control } from '../record/control.ts';
import { texts } from '../texts.ts';
import { fromLocalTime, toLocalTime } from '../time.ts';
import { type Condition, conditionsOf, filteredField, joinValues, splitValues, valueText } from './operators.ts';
import type { Filter } from './query.ts';
import { type Choice, choiceOf, choicesFor, isDated, isRelative, valueOfChoice } from './relative-dates.ts';

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
  return format === 'date-time' ? fromLocalTime(text) : text;
};

/** The reverse of `toApi`. */
const toInput = (value: string, { format }: Field, operator: string): string =>
  operator === 'in' || format !== 'date-time' ? value : toLocalTime(value);

interface ValueInputProps {
  readonly field: Field;
  readonly operator: string;
  readonly text: string;
  readonly suggestions: readonly string[];
  readonly onText: (text: string) => void;
}

function ValueInput({ field, operator, text, suggestions, onText }: ValueInputProps): VNode {
  const onInput = (event: Event): void => onText(valueOf(event));
  const values = field.type === 'boolean' ? ['true', 'false'] : field.values;
  if (values && operator !== 'in') {
    // Older records may have values that the field takes no longer.
    const options = new Set([...values, ...suggestions, ...(text === '' ? [] : [text])]);
    return html`<select id="filter-value" value=${text} onChange=${onInput}>
      ${[...options].map((value) => html`<option key=${value} value=${value}>${valueText(value, field)}</option>`)}
    </select>`;
  }
  if (field.references && operator === 'eq') {
    const onId = (id: unknown): void => onText(String(id ?? ''));
    return html`<${Control} ...${{ field, id: 'filter-value', input: text, onInput: onId }} />`;
  }
  const type = operator === 'in' ? 'text' : (inputTypes[field.format ?? ''] ?? 'text');
  return html`<input
      id="filter-value"
      type=${type}
      inputmode=${isNumeric(field) && operator !== 'in' ? 'decimal' : undefined}
      list="filter-seen"
      autocomplete="off"
      placeholder=${operator === 'in' ? texts.filters.commaValues : undefined}
      value=${text}
      onInput=${onInput}
    />
    <datalist id="filter-seen">
      ${(values ?? suggestions).map((value) => html`<option key=${value} value=${value} />`)}
    </datalist>`;
}

interface WhenProps {
  readonly operator: string;
  readonly choice: Choice | undefined;
  readonly choose: (choice: Choice | undefined) => void;
}

/** The days of a distance that is chosen first. */
const usualDays = 7;

/** Chooses a day or a period relative to today, or a date. */
function When({ operator, choice, choose }: WhenProps): VNode {
  const days = choice?.days || usualDays;
  const isDistance = choice !== undefined && valueOfChoice(choice) !== choice.choice;
  const onChoice = (event: Event): void => {
    const name = valueOf(event);
    choose(name === '' ? undefined : { choice: name, days });
  };
  return html`<label for="filter-when">${texts.filters.when}</label>
    <select id="filter-when" value=${choice?.choice ?? ''} onChange=${onChoice}>
      <option value="">${texts.filters.exactly}</option>
      ${choicesFor(operator).map(([name, words]) => html`<option key=${name} value=${name}>${words}</option>`)}
    </select>
    ${
      isDistance &&
      html`<label for="filter-days">${texts.filters.days}</label>
        <input
          id="filter-days"
          type="number"
          min="1"
          max="9999"
          required
          value=${choice.days}
          onInput=${(event: Event) => choose({ choice: choice.choice, days: Number(valueOf(event)) })}
        />`
    }`;
}

const conditionKey = ({ operator, value = '' }: Condition): string => `${operator} ${value}`;

/** The form that makes or changes a filter. */
export function FilterEditor({ resource, filter, seen, apply }: FilterEditorProps): VNode {
  const names = [...resource.filters.keys()];
  const [name, setName] = useState(filter?.field ?? (names[0] as string));
  const field = filteredField(resource, name);
  const conditions = conditionsOf(resource, name);
  const wanted =
    filter &&
    conditions.find(({ operator, value }) => operator === filter.operator && (value ?? filter.value) === filter.value);
  const [chosen, setChosen] = useState(wanted && conditionKey(wanted));
  const condition = conditions.find((candidate) => conditionKey(candidate) === chosen) ?? (conditions[0] as Condition);
  const [text, setText] = useState(
    filter && wanted?.value === undefined && !isRelative(filter.value, field)
      ? toInput(filter.value, field, filter.operator)
      : '',
  );
  const canBeRelative = isDated(field) && choicesFor(condition.operator).length > 0;
  const [wantedChoice, choose] = useState(() => filter && choiceOf(filter.value, filter.operator));
  /** Another comparison does not offer the same. */
  const isOffered = choicesFor(condition.operator).some(([choice]) => choice === wantedChoice?.choice);
  const choice = canBeRelative && isOffered ? wantedChoice : undefined;
  const [firstValue = ''] =
    field.type === 'boolean' ? ['true'] : condition.operator === 'in' ? [] : (field.values ?? []);
  const value = text || firstValue;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const isReady =
      condition.value !== undefined ||
      choice !== undefined ||
      value !== '' ||
      isFreeText(field) ||
      field.values !== undefined;
    if (!isReady) {
      document.querySelector<HTMLElement>('#filter-value')?.focus();
      return;
    }
    apply({
      field: name,
      operator: condition.operator,
      value: condition.value ?? (choice ? valueOfChoice(choice) : toApi(value, field, condition.operator)),
    });
  };
  const chooseField = (event: Event): void => {
    setName(valueOf(event));
    setChosen(undefined);
    setText('');
    choose(undefined);
  };
  return html`<form class="filter-editor" onSubmit=${submit}>
    <label for="filter-field">${texts.filters.field}</label>
    <select id="filter-field" value=${name} onChange=${chooseField}>
      ${names.map((key) => html`<option key=${key} value=${key}>${filteredField(resource, key).title}</option>`)}
    </select>
    <label for="filter-condition">${texts.filters.condition}</label>
    <select
      id="filter-condition"
      value=${conditionKey(condition)}
      onChange=${(event: Event) => setChosen(valueOf(event))}
    >
      ${conditions.map((row) => html`<option key=${conditionKey(row)} value=${conditionKey(row)}>${row.text}</option>`)}
    </select>
    ${canBeRelative && html`<${When} operator=${condition.operator} choice=${choice} choose=${choose} />`}
    ${
      condition.value === undefined &&
      choice === undefined &&
      html`<label for="filter-value">${texts.filters.value}</label>
        <${ValueInput}
          field=${field}
          operator=${condition.operator}
          text=${value}
          suggestions=${seen(name)}
          onText=${setText}
        />`
    }
    <div class="actions">
      <button class="button primary">${filter ? texts.filters.apply : texts.filters.add}</button>
    </div>
  </form>`;
}
