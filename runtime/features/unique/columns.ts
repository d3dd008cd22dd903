import { hash } from 'node:crypto';
import type { Value } from '../../kernel/model/fields.ts';
import type { Table, Trait, Unique } from '../../kernel/model/table.ts';
import { organizationColumn } from '../../kernel/sql/schema.ts';
import type { HiddenColumn } from '../../kernel/sql/table-parts.ts';
import { foldText } from '../../kernel/model/fold.ts';
import { shortName } from '../../kernel/sql/values.ts';
import type { Index } from '../../migrations/indexes.ts';

/** A unique index. Its columns are the organization, and one for each field: its own, or the hidden one of its folded text. */
export interface UniqueKey extends Index {
  /** That of the index of the same fields that compares case, if this one does not, or the reverse. */
  readonly otherName: string;
  readonly fields: readonly string[];
}

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
    table: table.name,
    isUnique: true,
    otherName: uniqueName(table.name, fields, !ignoreCase),
    fields,
    columns: [
      organizationColumn,
      ...fields.map((field) => (ignoreCase && isText(table, field) ? foldedColumn(field) : field)),
    ],
  }));

/** The fields of a table that are compared without case, and the hidden columns of their folded texts. */
export const foldedColumns = (table: Table): ReadonlyMap<string, string> =>
  new Map(
    (table.unique ?? [])
      .filter(({ ignoreCase }) => ignoreCase)
      .flatMap(({ fields }) => fields.filter((field) => isText(table, field)))
      .map((field) => [field, foldedColumn(field)]),
  );

/** The same, as hidden columns. */
export const hiddenTexts = (table: Table): HiddenColumn[] =>
  [...foldedColumns(table)].map(([field, name]) => ({
    name,
    type: 'text',
    fields: [field],
    valueOf: (values) => foldedValue(values[field] as Value),
  }));

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

/** No two records of an organization have the same value in the field, or the same values in several fields. */
export const unique =
  (fields: string | readonly string[], options: Omit<Unique, 'fields'> = {}): Trait =>
  (table) => ({ ...table, unique: [...(table.unique ?? []), { fields: [fields].flat(), ...options }] });
