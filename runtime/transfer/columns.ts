import { didYouMean } from '../suggest.ts';
import type { CellField } from './cells.ts';

/** What the columns of a file mean. */
export interface Columns {
  /** The field of each column; undefined where it is left out. */
  readonly fields: readonly (CellField | undefined)[];
  /** Columns of fields that only the service sets. */
  readonly readOnly: readonly string[];
  /** What is wrong with the columns, a sentence each. */
  readonly problems: readonly string[];
}

/**
 * Finds the fields of columns, by their names or as `renames` says.
 *
 * @param names those of the columns
 * @param renames fields by names of columns; an empty one leaves the column out
 */
export function matchColumns(
  names: readonly string[],
  fields: readonly CellField[],
  renames: ReadonlyMap<string, string>,
): Columns {
  const known = new Map(fields.map((field) => [field.name, field]));
  const writable = fields.flatMap(({ name, isReadOnly }) => (isReadOnly ? [] : [name]));
  const problems: string[] = [];
  for (const [column, field] of renames) {
    if (!names.includes(column)) {
      problems.push(`There is no column ${JSON.stringify(column)}${didYouMean(column, names) || '.'}`);
    } else if (field !== '' && !known.has(field)) {
      problems.push(`There is no field ${JSON.stringify(field)}${suggest(field, writable)}`);
    }
  }
  const readOnly: string[] = [];
  const takenBy = new Map<string, string>();
  const matched = names.map((column, index) => {
    const name = renames.get(column) ?? column;
    const field = known.get(name);
    if (column === '' && name === '') {
      problems.push(`Column ${index + 1} has no name.`);
    } else if (name === '' || (!field && renames.has(column))) {
      return undefined;
    } else if (!field) {
      problems.push(`The column ${JSON.stringify(column)} ${unknownColumn(column, fields)}`);
    } else if (takenBy.has(name)) {
      problems.push(
        `The columns ${JSON.stringify(takenBy.get(name))} and ${JSON.stringify(column)} are both the field ${name}.`,
      );
    } else {
      takenBy.set(name, column);
      if (!field.isReadOnly) return field;
      readOnly.push(column);
    }
    return undefined;
  });
  return { fields: matched, readOnly, problems };
}

/** What is said of a column or a member that is not a field: completes a sentence that begins with it. */
export function unknownColumn(column: string, fields: readonly CellField[]): string {
  const writable = fields.flatMap(({ name, isReadOnly }) => (isReadOnly ? [] : [name]));
  const map = (field: string): string => `\`--map ${JSON.stringify(`${column}=${field}`)}\``;
  return `is not a field${suggest(column, writable)} ${map('FIELD')} names its field, ${map('')} leaves it out.`;
}

/** A column like `Company Name` is near the field `company_name`. */
const suggest = (column: string, fields: readonly string[]): string => {
  const name = column
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_');
  return fields.includes(name) ? `; did you mean ${JSON.stringify(name)}?` : didYouMean(name, fields) || '.';
};
