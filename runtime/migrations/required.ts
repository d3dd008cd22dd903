import type { Column, Table } from '../model/table.ts';
import { isAlwaysSet, literal, quote, requiredColumns } from '../sql/schema.ts';
import type { Comparison, Step } from './plan.ts';
import type { ActualSchema } from './schema.ts';

/** Whether a row without a value would show null where its field is required. Items without a parent are in no list. */
const mustBeFilled = ({ parent }: Table, column: Column): boolean =>
  !column.isNullable && column.backfill === undefined && !isAlwaysSet(column) && column.name !== parent?.field;

/** The columns of a table that must be filled, as `requiredColumns` lists them. */
export const requiredNames = (table: Table): string[] =>
  table.columns.filter((column) => mustBeFilled(table, column)).map((column) => `${table.name}.${column.name}`);

/** Statements that list columns as filled; another process may have done so. */
export const addRequired = (names: readonly string[]): string[] => {
  const rows = names.map((name) => `(${literal(name)})`).join(', ');
  return rows === '' ? [] : [`insert into ${quote(requiredColumns)} values ${rows} on conflict do nothing`];
};

/** The step for the columns that must be filled and are not listed: one query reads the rows for all of a table. */
export function compareRequired({ table, actualName, columns, desired, actual }: Comparison): Step[] {
  const names = new Set(requiredNames(table));
  const unknown = [...desired].flatMap(([name, column]) => {
    const listed = `${table.name}.${column.name}`;
    const isFilled = columns.has(name) && actual.required.has(`${actualName}.${name}`);
    if (!names.has(listed) || (isFilled && actual.required.has(listed))) return [];
    const nulls = `count(*)${columns.has(name) ? ` - count(${quote(name)})` : ''}`;
    return { listed, column: column.name, isFilled, nulls };
  });
  if (unknown.length === 0) return [];
  const note = {
    kind: 'addition',
    isNote: true,
    statements: addRequired(unknown.map(({ listed }) => listed)),
  } as const;
  // A column that was filled under a former name is filled under the new one.
  const unread = unknown.filter(({ isFilled }) => !isFilled);
  if (unread.length === 0) return [note];
  const countNulls = `select ${unread.map(({ nulls }) => nulls).join(', ')} from ${quote(actualName)}`;
  return [{ ...note, mustBeFilled: { table: table.name, columns: unread.map(({ column }) => column), countNulls } }];
}

/** The step that removes the columns that may hold null from now on. */
export function forgetRequired(tables: readonly Table[], { required }: ActualSchema): Step[] {
  const names = [...required.difference(new Set(tables.flatMap(requiredNames)))].map(literal).join(', ');
  const statement = `delete from ${quote(requiredColumns)} where "name" in (${names})`;
  return names === '' ? [] : [{ kind: 'addition', isNote: true, statements: [statement] }];
}
