import type { DatabaseSync } from 'node:sqlite';
import { commonDialect, foreignKeyDefinition, literal, quote } from '../sql/schema.ts';
import { prefixOf, searchColumn, type SearchIndex, searchPrefix } from '../sql/search.ts';
import { wordIndex } from '../sqlite/dialect.ts';
import type { MigrationDialect, Step } from './types.ts';

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

/** The names of a table's triggers of inserts and deletes. That of updates has the name of the index. */
const triggersOf = (prefix: string): readonly [insert: string, remove: string] => [
  quote(`${prefix}.insert`),
  quote(`${prefix}.delete`),
];

/** Triggers, so that whatever changes a row changes the index. It has no words of its own but their places. */
function createSearch(search: SearchIndex): string[] {
  const [index, on, column] = [wordIndex(search), quote(search.table), quote(searchColumn)];
  const [insert, remove] = triggersOf(searchPrefix(search.table));
  const into = `into ${index} (rowid, "words")`;
  const values = `values (new._rowid_, new.${column})`;
  return [
    // A token has letters and digits of ASCII, and every character beyond it.
    `create virtual table ${index} using fts5 ("words", content = '', contentless_delete = 1, detail = none, ` +
      `tokenize = 'ascii')`,
    `insert ${into} select _rowid_, ${column} from ${on}`,
    `create trigger ${insert} after insert on ${on} begin insert ${into} ${values}; end`,
    `create trigger ${quote(search.name)} after update of ${column} on ${on} begin insert or replace ${into} ${values}; end`,
    `create trigger ${remove} after delete on ${on} begin delete from ${index} where rowid = old._rowid_; end`,
  ];
}

/** Other programs search by it. */
function dropSearch(name: string): Step {
  const prefix = prefixOf(name);
  const triggers = [quote(name), ...triggersOf(prefix)];
  const drops = triggers.map((trigger) => `drop trigger if exists ${trigger}`);
  return { kind: 'incompatible', statements: [...drops, `drop table if exists ${quote(prefix)}`] };
}

export const sqliteDialect: MigrationDialect = {
  ...commonDialect,
  createSearch,
  dropSearch,
  dropForeignKey: ({ table, column }) => redefine(table, `without_foreign_key(sql, ${literal(column)})`),
  addForeignKey: (key) => [
    redefine(key.table, `substr(sql, 1, length(sql) - 1) || ${literal(`,\n  ${foreignKeyDefinition(key)})`)}`),
  ],
  distribute: () => [],
};
