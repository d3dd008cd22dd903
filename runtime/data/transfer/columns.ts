import { maxNamed } from '../../kernel/model/limits.ts';
import { didYouMean } from '../../kernel/model/suggest.ts';
import type { CellField } from './cells.ts';

/** The meaning of the columns of a file. */
export interface Columns {
  /** The field of each column; undefined if it is left out. */
  readonly fields: readonly (CellField | undefined)[];
  /** Columns of fields that only the service sets. */
  readonly readOnly: readonly string[];
  /** The faults of the columns, a sentence each; those of many are counted. */
  readonly problems: readonly string[];
}

/**
 * Finds the fields of columns, by their names in any spelling or as `renames` says: `Company Name` is `company_name`.
 *
 * @param names those of the columns
 * @param renames names of fields by names of columns; an empty one leaves the column out
 */
export function matchColumns(
  names: readonly string[],
  fields: readonly CellField[],
  renames: ReadonlyMap<string, string>,
): Columns {
  const known = new Map(fields.map((field) => [field.name, field]));
  const problems: string[] = [];
  for (const column of renames.keys()) {
    if (names.includes(column)) continue;
    problems.push(`There is no column ${JSON.stringify(column)}${didYouMean(column, names) || '.'}`);
  }
  const readOnly: string[] = [];
  const takenBy = new Map<string, string>();
  const matched = names.map((column, index) => {
    const written = renames.get(column) ?? column;
    const field = known.get(written) ?? known.get(spelledAsName(written));
    const name = field?.reference ?? field?.name ?? written;
    if (column === '' && name === '') {
      const isLast = index > 0 && index === names.length - 1;
      const advice = isLast
        ? ': the header ends with a delimiter. Remove it, and that of each row'
        : '; name it in the first row';
      problems.push(`Column ${index + 1} has no name${advice}.`);
    } else if (name === '') {
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
  if (problems.length > maxNamed) {
    const others = problems.splice(maxNamed).length;
    const writable = fields.flatMap((field) => (field.isReadOnly ? [] : [field.name]));
    problems.push(
      `${others} more ${others === 1 ? 'column has' : 'columns have'} faults. The fields are ${writable.join(', ')}.`,
    );
  }
  return { fields: matched, readOnly, problems };
}

/** A name of a field as people may write it: `Company Name` is `company_name`. */
const spelledAsName = (column: string): string =>
  column
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_');

function mapAdvice(column: string): string {
  const map = (field: string): string => `\`--map ${JSON.stringify(`${column}=${field}`)}\``;
  return `${map('FIELD')} names its field, ${map('')} leaves it out.`;
}

/** Completes a sentence that begins with a column or a member that is not a field. */
export const unknownColumn = (column: string, fields: readonly CellField[]): string =>
  `is not a field${suggestField(column, fields)} ${mapAdvice(column)}`;

/** Ends a sentence with the nearest field: `Company Name` is near `company_name`. */
export function suggestField(column: string, fields: readonly CellField[]): string {
  const [, owner] = /^(\w+)\.\w+$/.exec(column) ?? [];
  const reference = fields.find((field) => owner !== undefined && field.name === `${owner}_id`);
  if (reference) return suggestReference(reference.name, fields);
  const name = spelledAsName(column);
  const writable = fields.flatMap((field) => (field.isReadOnly ? [] : [field.name]));
  return writable.includes(name) ? `; did you mean ${JSON.stringify(name)}?` : didYouMean(name, writable) || '.';
}

/** Ends a sentence about a column that is no field of a record which a reference names, like `customer.name`. */
function suggestReference(reference: string, fields: readonly CellField[]): string {
  const unique = fields.flatMap((field) => (field.reference === reference ? [field.name] : []));
  if (unique.length > 0) return `; write ${unique.join(', ')}, or ${reference} with ids.`;
  return `; write ${reference} with ids. \`npm run import\` also takes a unique field, if ${reference} references one resource.`;
}
