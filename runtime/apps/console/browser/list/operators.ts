import { textOf } from '../value-text.ts';
import { type Field, fieldOf, isNumeric, type Operator, type Resource } from '../model.ts';
import { shorten, titleOf } from '../text.ts';
import { texts } from '../texts.ts';
import type { Filter } from './query.ts';
import { daysOf, isDated, isRelative, relativeText } from './relative-dates.ts';

/** A condition as people choose it: a comparison, of which that with null is two. */
export interface Condition {
  readonly operator: Operator;
  /** The value of a condition that needs none from the user. */
  readonly value?: string;
  readonly text: string;
}

/** How the values of a field are compared. */
const wordsOf = (field: Field): Readonly<Partial<Record<Operator, string>>> => {
  if (isNumeric(field)) return texts.filters.number;
  return isDated(field) ? texts.filters.date : texts.filters.text;
};

/** A field that is not in the document: the server says so. */
const unknownField = (name: string): Field => ({
  name,
  title: titleOf(name),
  type: 'string',
  required: false,
  nullable: false,
  readOnly: false,
});

/** The field that the values of a filter belong to: of a list, its entries. */
export function filteredField(resource: Resource, name: string): Field {
  const field = fieldOf(resource, name) ?? unknownField(name);
  return field.of ? { ...field.of, title: field.title } : field;
}

/** The conditions that a list can be filtered by in a field. */
export function conditionsOf(resource: Resource, name: string): readonly Condition[] {
  const operators = resource.filters.get(name) ?? [];
  const words = wordsOf(filteredField(resource, name));
  const listed = Object.entries(words).flatMap(([operator, text]) =>
    operators.includes(operator as Operator) ? [{ operator: operator as Operator, text }] : [],
  );
  if (!operators.includes('null')) return listed;
  return [
    ...listed,
    { operator: 'null', value: 'true', text: texts.filters.isEmpty },
    { operator: 'null', value: 'false', text: texts.filters.isNotEmpty },
  ];
}

/** The values of `in`: a comma or a backslash in one is written with a backslash before it. */
export function splitValues(text: string): readonly string[] {
  const values = [''];
  for (const [piece, escaped] of text.matchAll(/\\([,\\])|,|[^,\\]+|\\/g)) {
    if (piece === ',') values.push('');
    else values[values.length - 1] += escaped ?? piece;
  }
  return values;
}

export const joinValues = (values: readonly string[]): string =>
  values.map((value) => value.replaceAll(/[,\\]/g, String.raw`\$&`)).join(',');

/** A value of a filter in words. A relative date has the days that it means today; a text that is no date is shown as it is. */
export const valueText = (value: string, field: Field, operator: Operator = 'eq'): string => {
  if (field.type === 'boolean') return value === 'true' ? texts.values.yes : texts.values.no;
  if (isRelative(value, field)) return `${relativeText(value, operator)} (${daysOf(value)})`;
  if (isDated(field) && Number.isNaN(Date.parse(value))) return texts.filters.quoted(value);
  return textOf(field.type === 'string' ? value : Number(value), field);
};

/** A filter in words: its field, its condition and its value. */
export function describe(
  resource: Resource,
  { field: name, operator, value }: Filter,
): readonly [string, string, string] {
  const field = filteredField(resource, name);
  if (operator === 'null')
    return [field.title, value === 'true' ? texts.filters.isEmpty : texts.filters.isNotEmpty, ''];
  const words = wordsOf(field)[operator] ?? operator;
  const values = operator === 'in' ? splitValues(value) : [value];
  return [
    field.title,
    words,
    shorten(values.map((part) => valueText(part, field, operator)).join(', ') || texts.filters.quoted(''), 60),
  ];
}
