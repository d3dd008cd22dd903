import { quote } from '../kernel/sql/schema.ts';
import { change } from './steps.ts';
import type { ActualColumns, Finding, StatementStep } from './types.ts';

/** The name of a column that is defined. */
export const definedName = (definition: string): string => definition.split('"', 2)[1] ?? '';

/** Whether the rows of a table can get a column: they have its default, or null. */
const isAddable = (definition: string): boolean =>
  definition.includes(' default ') || !/ (?:not null|unique)\b/.test(definition);

/** The step that adds a column to a table; a sentence that refuses it if no row could have a value. */
export function addColumn(table: string, definition: string): StatementStep | string {
  if (isAddable(definition)) return change('addition', `alter table ${quote(table)} add column ${definition}`);
  return (
    `Table ${quote(table)} has no column ${quote(definedName(definition))}, which this version cannot add: another program ` +
    'or a very old version made the table. Export the records with the version that made it, and import them into a new database.'
  );
}

/** Adds the columns that a table lacks. @param definitions those of all columns that it has to have */
export function* addMissing(table: string, definitions: readonly string[], columns: ActualColumns): Generator<Finding> {
  for (const definition of definitions) {
    if (!columns.has(definedName(definition))) yield addColumn(table, definition);
  }
}
