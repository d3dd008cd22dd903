import type { Column, Table } from '../kernel/model/table.ts';
import type { StoredType } from '../kernel/sql/values.ts';
import type { MigrationPart } from './part.ts';
import { noteStep } from './steps.ts';
import type { Comparison, NoteStep, Step } from './types.ts';
import type { SchemaDialect } from './definitions.ts';

/** A column that the database has, of the type that its field has. */
export interface StoredColumn {
  /** Its name before the first step. */
  readonly former: string;
  readonly column: Column;
  readonly type: StoredType;
}

/**
 * A share that looks at the rows of some columns once: then `requiredColumns` has a name for each.
 *
 * @param nameOf says all that the look depends on; undefined for other columns
 * @param look the step for columns whose name is not listed. A conversion from another type has its own check
 */
export const looksAt = (
  nameOf: (table: Table, column: Column, dialect: SchemaDialect) => string | undefined,
  look: (comparison: Comparison, note: NoteStep, stored: readonly StoredColumn[]) => Step,
): Required<Pick<MigrationPart, 'notes' | 'compare'>> => ({
  notes: (table, dialect) => table.columns.flatMap((column) => nameOf(table, column, dialect) ?? []),
  compare(comparison) {
    const { table, columns, desired, actual, dialect } = comparison;
    const unlisted = [...desired].flatMap(([former, column]) => {
      const name = nameOf(table, column, dialect);
      return name === undefined || actual.required.has(name) ? [] : [{ former, column, name }];
    });
    if (unlisted.length === 0) return [];
    const stored = unlisted.flatMap(({ former, column }) => {
      const type = dialect.values.typeOf(columns.get(former) ?? '');
      return type?.type === column.type ? [{ former, column, type }] : [];
    });
    const note = noteStep(...unlisted.map(({ name }) => name));
    return [stored.length === 0 ? note : look(comparison, note, stored)];
  },
});
