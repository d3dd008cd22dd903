import type { DatabaseSync } from 'node:sqlite';
import { literal } from '../kernel/sql/schema.ts';
import type { MigrationDialect } from './types.ts';
import { unitStorage } from '../engines/sqlite/storage.ts';
import { foreignKeyDefinition } from './definitions.ts';

/** Defines the SQL function of migrations, and allows it to change definitions. */
export function defineFunction(database: DatabaseSync): void {
  database.enableDefensive(false);
  database.function('without_foreign_key', { deterministic: true }, (definition, column) =>
    withoutForeignKey(String(definition), String(column)),
  );
}

/**
 * Changes the definition of a table beside its columns. Its rows stay as they are:
 * https://www.sqlite.org/lang_altertable.html#making_other_kinds_of_table_schema_changes
 *
 * @param definition an expression over the present one, `sql`
 */
const redefine = (table: string, definition: string): string[] => [
  'pragma writable_schema = on',
  `update sqlite_schema set sql = ${definition} where type = 'table' and name = ${literal(table)}`,
  'pragma writable_schema = reset',
  // Other connections read the schema again.
  'create view "_redefined" as select 1',
  'drop view "_redefined"',
];

const withoutForeignKey = (definition: string, column: string): string =>
  definition.replace(
    new RegExp(
      `,\\s*constraint "[^"]*" foreign key [(]"[^"]*", "${RegExp.escape(column)}"[)]\\s+references [^,]*,[^)]*[)] deferrable initially deferred`,
    ),
    '',
  );

export const sqliteDialect: MigrationDialect = {
  engine: 'sqlite',
  values: unitStorage,
  byBytes: '',
  definesForeignKeys: true,
  concurrently: '',
  indexedParent: (field) => field,
  // Nulls are before all values, and last where an index is read backwards.
  orderedColumn: (column, isDescending) => (isDescending ? [column] : [`${column} is null`, column]),
  dropForeignKey: ({ table, column }) => redefine(table, `without_foreign_key(sql, ${literal(column)})`),
  addForeignKey: (key) => [
    redefine(key.table, `substr(sql, 1, length(sql) - 1) || ${literal(`,\n  ${foreignKeyDefinition(key)})`)}`),
  ],
  distribute: () => [],
};
