import type { CellField } from '../../../../data/transfer/cells.ts';
import { type Field, fieldOf, isFreeText, type Resource } from '../model.ts';

/** The names of the fields of columns; an empty one leaves its column out. */
export type Matching = readonly string[];

/** A field as cells hold it. Records are named by ids. */
export const cellField = (field: Field): CellField => ({
  ...field,
  takesEmpty: isFreeText(field),
  takesNull: field.nullable,
  isReadOnly: field.readOnly,
  of: field.of && cellField(field.of),
});

/** The fields of columns, as cells hold them. */
export const cellFields = (resource: Resource, matching: Matching): readonly (CellField | undefined)[] =>
  matching.map((name) => {
    const field = fieldOf(resource, name);
    return field && cellField(field);
  });

/** The fields that a file can have columns of. */
export const fieldsToImport = (resource: Resource): readonly Field[] =>
  resource.fields.filter(({ readOnly }) => !readOnly);

/** The same for spellings of a name that differ in case and in signs between words. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** The field with a name or a title, in any spelling. */
export const fieldNamed = (fields: readonly Field[], column: string): Field | undefined =>
  fields.find(({ name }) => plain(name) === plain(column)) ??
  fields.find(({ title }) => plain(title) === plain(column));

/** Finds the fields of columns by their names or titles, each once. */
export function matched(columns: readonly string[], fields: readonly Field[]): Matching {
  const names = columns.map((column) => fieldNamed(fields, column)?.name ?? '');
  return names.map((name, at) => (names.indexOf(name) === at ? name : ''));
}

/** A matching in which a column has another field: no other column has it then. */
export const rematched = (matching: Matching, column: number, field: string): Matching =>
  matching.map((name, index) => (index === column ? field : name === field ? '' : name));

/** The required fields that no column has: no row could become a record. */
export const missingFields = (matching: Matching, resource: Resource): readonly Field[] =>
  fieldsToImport(resource).filter(({ name, required }) => required && !matching.includes(name));
