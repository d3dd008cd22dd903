import type { Table } from '../model/table.ts';
import type { Comparison, Step } from './types.ts';
import { addRequired } from './required.ts';

const timesOf = ({ columns }: Table): string[] =>
  columns.filter(({ format }) => format === 'date-time').map(({ name }) => name);

const noteOf = (table: Table, column: string): string => `${table.name}.${column} date-time`;

/** The columns whose date-times are all written as timestamps, as `requiredColumns` lists them. */
export const timeNames = (table: Table): string[] => timesOf(table).map((column) => noteOf(table, column));

/** The step for the date-times of rows that may be older than their format: they are written as timestamps. */
export function compareTimes({ table, columns, desired, actual }: Comparison): Step[] {
  const unlisted = timesOf(table).filter((column) => !actual.required.has(noteOf(table, column)));
  if (unlisted.length === 0) return [];
  const statements = addRequired(unlisted.map((column) => noteOf(table, column)));
  const stored = new Set([...desired].flatMap(([actualName, { name }]) => (columns.has(actualName) ? [name] : [])));
  const older = unlisted.filter((column) => stored.has(column));
  if (older.length === 0) return [{ kind: 'addition', isNote: true, statements }];
  return [{ kind: 'addition', isCleanup: true, statements, rewrite: { table, what: 'times', fields: older } }];
}
