import { type Column, isAlwaysSet, type Table } from '../kernel/model/table.ts';
import { literal, quote } from '../kernel/sql/schema.ts';
import { noteStep } from './steps.ts';
import type { ActualSchema, Comparison, NoteStep } from './types.ts';
import { findsNone } from './checks.ts';
import { requiredColumns } from './own-tables.ts';

/** Whether a row without a value would show null where its field is required, and nothing gives it one. Items without a parent are in no list. */
const needsValue = ({ parent, logic }: Table, column: Column): boolean =>
  !column.isNullable &&
  column.backfill === undefined &&
  !column.isAssigned &&
  !isAlwaysSet(column) &&
  !Object.hasOwn(logic?.computed ?? {}, column.name) &&
  column.name !== parent?.field;

/** The columns of a table that must be filled, as `requiredColumns` lists them. */
export const requiredNames = (table: Table): string[] =>
  table.columns.filter((column) => needsValue(table, column)).map((column) => `${table.name}.${column.name}`);

/** The step for the columns that must be filled and are not listed: one query reads the rows for all of a table. */
export function compareRequired({ table, actualName, columns, desired, actual }: Comparison): NoteStep[] {
  const isFilled = (name: string): boolean => columns.has(name) && actual.required.has(`${actualName}.${name}`);
  const required = [...desired].filter(([, column]) => needsValue(table, column));
  const unlisted = required
    .map(([actualColumn, { name }]) => ({ name: `${table.name}.${name}`, actualColumn }))
    .filter(({ name, actualColumn }) => !isFilled(actualColumn) || !actual.required.has(name));
  // A column that was filled under a former name is filled under the new one.
  const unread = required.filter(([name]) => !isFilled(name));
  if (unlisted.length === 0) return [];
  const note = noteStep(...unlisted.map(({ name }) => name));
  if (unread.length === 0) return [note];
  const nulls = unread.map(([name]) => `count(*)${columns.has(name) ? ` - count(${quote(name)})` : ''}`);
  const filled = unread.map(([, { name }]) => name);
  const check = findsNone(`select ${nulls.join(', ')} from ${quote(actualName)}`, ([counts = []]) =>
    filled.flatMap((column, at) => unfilled(table.name, column, Number(counts[at]))),
  );
  return [{ ...note, check, demand: { what: 'filled', table: table.name, columns: filled } }];
}

const unfilled = (table: string, column: string, rows: number): string[] =>
  rows === 0
    ? []
    : [
        `The field ${column} of ${table} is required, and ${rows} ${rows === 1 ? 'row has' : 'rows have'} no value. ` +
          'Give the field a `backfill` in its spec, the value that such rows show; or make it optional, and required ' +
          'once every row has a value.',
      ];

/** Statements that take names out of the list. */
export const removeRequired = (names: readonly string[]): string[] =>
  names.length === 0
    ? []
    : [`delete from ${quote(requiredColumns)} where "name" in (${names.toSorted().map(literal).join(', ')})`];

/** The step that removes all names from the list but those that are still wanted. */
export function forgetRequired(wanted: readonly string[], { required }: ActualSchema): NoteStep[] {
  const statements = removeRequired([...required.difference(new Set(wanted))]);
  return statements.length === 0 ? [] : [{ ...noteStep(), statements }];
}
