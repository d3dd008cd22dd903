import { hash } from 'node:crypto';
import type { Value } from '../model/fields.ts';
import { foldText } from '../model/search.ts';
import type { Table } from '../model/table.ts';

/** The columns that a unique index of a table holds behind the organization. */
export interface UniqueKey {
  /** The name of the index. */
  readonly name: string;
  /** That of the index of the same fields that compares case, if this one does not, or the reverse. */
  readonly otherName: string;
  readonly fields: readonly string[];
  /** A column for each field: its own, or the hidden one of its folded text. */
  readonly columns: readonly string[];
}

/** The longest name in bytes: PostgreSQL cuts what is behind. */
const maxName = 63;

/**
 * A name that PostgreSQL does not cut: in a long one, a hash takes the place of the last part of `start`.
 *
 * @param kept characters of `start` in a long name
 */
export const shortName = (start: string, end: string, kept = maxName - end.length - 17): string =>
  start.length + end.length <= maxName
    ? start + end
    : `${start.slice(0, kept)}.${hash('sha256', start, 'hex').slice(0, 16)}${end}`;

/** Whether an index is one of `uniqueKeys`, of any table. */
export const isUniqueIndex = (name: string): boolean => /_unique(_ignore_case)?$/.test(name);

/** The hidden column that holds the folded text of a field. No field of a spec begins with an underscore. */
const foldedColumn = (field: string): string => shortName(`_${field}`, '_folded');

export const isFoldedColumn = (column: string): boolean => /^_.*_folded$/.test(column);

const isText = ({ columns }: Pick<Table, 'columns'>, field: string): boolean =>
  columns.some(({ name, type }) => name === field && type === 'text');

/** The name of the index that keeps fields of a table unique. */
export const uniqueName = (table: string, fields: readonly string[], ignoreCase: boolean): string =>
  shortName(`${table}_${fields.join('_')}`, ignoreCase ? '_unique_ignore_case' : '_unique');

/** The unique keys of a table, in the order of its spec. */
export const uniqueKeys = (table: Table): UniqueKey[] =>
  (table.unique ?? []).map(({ fields, ignoreCase = false }) => ({
    name: uniqueName(table.name, fields, ignoreCase),
    otherName: uniqueName(table.name, fields, !ignoreCase),
    fields,
    columns: fields.map((field) => (ignoreCase && isText(table, field) ? foldedColumn(field) : field)),
  }));

/** The fields of a table that are compared without case, and the hidden columns of their folded texts. */
export const foldedColumns = (table: Table): ReadonlyMap<string, string> =>
  new Map(
    (table.unique ?? [])
      .filter(({ ignoreCase }) => ignoreCase)
      .flatMap(({ fields }) => fields.filter((field) => isText(table, field)))
      .map((field) => [field, foldedColumn(field)]),
  );

/** The columns that are null if a field is: its folded text would still clash. */
export const clearedColumns = (table: Table, field: string): string[] =>
  [field, foldedColumns(table).get(field)].filter((column) => column !== undefined);

/** Characters of a folded text in an index. It holds a shorter one as it is, and of others the hash, which has as many. */
export const maxFolded = 128;

/** A text as its hidden column holds it. */
export function foldedValue(value: Value): Value {
  if (typeof value !== 'string') return null;
  const folded = foldText(value);
  return folded.length < maxFolded ? folded : hash('sha512', folded, 'hex');
}

/** The values of the hidden columns of those of these fields that have one. @param folds the columns, by their fields */
export function foldedValues(
  folds: ReadonlyMap<string, string>,
  values: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  const folded: Record<string, Value> = {};
  for (const [field, column] of folds) if (field in values) folded[column] = foldedValue(values[field] as Value);
  return folded;
}
