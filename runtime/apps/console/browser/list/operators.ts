import { textOf } from '../value-text.ts';
import { type Field, fieldOf, isNumeric, type Operator, type Resource } from '../model.ts';
import { shorten, titleOf } from '../text.ts';
import type { Filter } from './query.ts';

/** A condition as people choose it: a comparison, of which that with null is two. */
export interface Condition {
  readonly operator: Operator;
  /** The value of a condition that needs none from the user. */
  readonly value?: string;
  readonly text: string;
}

const comparisons: Readonly<Record<'text' | 'number' | 'date', Readonly<Partial<Record<Operator, string>>>>> = {
  text: {
    eq: 'is',
    ne: 'is not',
    in: 'is any of',
    prefix: 'starts with',
    gt: 'comes after',
    gte: 'is or comes after',
    lt: 'comes before',
    lte: 'is or comes before',
    has: 'contains',
  },
  number: { eq: '=', ne: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤', in: 'is any of', has: 'contains' },
  date: {
    eq: 'is',
    ne: 'is not',
    gt: 'is after',
    gte: 'is on or after',
    lt: 'is before',
    lte: 'is on or before',
    in: 'is any of',
    has: 'contains',
  },
};

/** How the values of a field are compared. */
const kindOf = (field: Field): keyof typeof comparisons => {
  const { format } = field;
  if (isNumeric(field)) return 'number';
  return format === 'date' || format === 'date-time' ? 'date' : 'text';
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
  const words = comparisons[kindOf(filteredField(resource, name))];
  const listed = Object.entries(words).flatMap(([operator, text]) =>
    operators.includes(operator as Operator) ? [{ operator: operator as Operator, text }] : [],
  );
  if (!operators.includes('null')) return listed;
  return [
    ...listed,
    { operator: 'null', value: 'true', text: 'is empty' },
    { operator: 'null', value: 'false', text: 'is not empty' },
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

const valueText = (value: string, field: Field): string => {
  if (field.type === 'boolean') return value === 'true' ? 'Yes' : 'No';
  return textOf(field.type === 'string' ? value : Number(value), field);
};

/** A filter in words: its field, its condition and its value. */
export function describe(
  resource: Resource,
  { field: name, operator, value }: Filter,
): readonly [string, string, string] {
  const field = filteredField(resource, name);
  if (operator === 'null') return [field.title, value === 'true' ? 'is empty' : 'is not empty', ''];
  const words = comparisons[kindOf(field)][operator] ?? operator;
  const values = operator === 'in' ? splitValues(value) : [value];
  return [field.title, words, shorten(values.map((part) => valueText(part, field)).join(', ') || '“”', 60)];
}
