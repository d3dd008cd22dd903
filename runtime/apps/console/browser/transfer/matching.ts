import type { CellField } from '../../../../data/transfer/cells.ts';
import { matchColumns } from '../../../../data/transfer/columns.ts';
import { type Field, isFreeText, type Resource } from '../model.ts';

/** The names of the fields of columns; an empty one leaves its column out. */
export type Matching = readonly string[];

export const cellField = (field: Field): CellField => ({
  name: field.name,
  type: field.type,
  takesEmpty: isFreeText(field),
  takesNull: field.nullable,
  isReadOnly: field.readOnly,
});

/** The fields that a file can have columns of. */
export const fieldsToImport = (resource: Resource): readonly Field[] =>
  resource.fields.filter(({ readOnly }) => !readOnly);

/** Finds the fields of columns by their names, or by their titles, in any spelling. */
export function matched(columns: readonly string[], resource: Resource): Matching {
  const names = new Map(resource.fields.map(({ title, name }) => [title.toLowerCase(), name]));
  const renames = new Map(
    columns.flatMap((column) => {
      const name = names.get(column.trim().toLowerCase());
      return name === undefined ? [] : [[column, name] as const];
    }),
  );
  const { fields } = matchColumns(columns, resource.fields.map(cellField), renames);
  return fields.map((field) => field?.name ?? '');
}

/** A matching in which a column has another field: no other column has it then. */
export const rematched = (matching: Matching, column: number, field: string): Matching =>
  matching.map((name, index) => (index === column ? field : name === field ? '' : name));

/** The required fields that no column has: no row could become a record. */
export const missingFields = (matching: Matching, resource: Resource): readonly Field[] =>
  fieldsToImport(resource).filter(({ name, required }) => required && !matching.includes(name));
