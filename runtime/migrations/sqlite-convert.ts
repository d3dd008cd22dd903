import type { DatabaseSync } from 'node:sqlite';
import type { ColumnType } from '../model/fields.ts';
import { brokenDecimalRule, maxDigits } from '../model/decimals.ts';
import { decimalOf, unitsOf } from '../rules/decimal.ts';
import {
  columnDefinition,
  commonDialect,
  createIndex,
  foreignKeyDefinition,
  type Index,
  literal,
  quote,
} from '../sql/schema.ts';
import { prefixOf, searchColumn, type SearchIndex, searchPrefix } from '../sql/search.ts';
import { wordIndex } from '../sqlite/dialect.ts';
import { isList, type StoredType, unitStorage } from '../sql/values.ts';
import type { Conversion, MigrationDialect, Step } from './schema-plan.ts';

type Stored = string | number | bigint | null;

/** A stored value in another type; null if it is no value of that type. */
function stored(value: string | number, from: ColumnType, to: ColumnType): string | number | null {
  const source = from === 'boolean' && to === 'text' ? (value === 1 ? 'true' : 'false') : value;
  if (to === 'text') return String(source);
  if (to === 'boolean') return value === 'true' || value === 1 ? 1 : value === 'false' || value === 0 ? 0 : null;
  const number = Number(source);
  return (to === 'bigint' ? Number.isSafeInteger(number) : Number.isFinite(number)) ? number : null;
}

/** The units of a text as a decimal; null if it is none. */
const unitsIn = (text: string, scale: number): bigint | null =>
  brokenDecimalRule(text, { digits: maxDigits, scale }) ? null : unitsOf(text, scale);

/** A value in a type; null if no decimal of the scale equals it. */
function toUnits(value: string | number | bigint, { type, scale = 0 }: StoredType, to: number): bigint | null {
  if (type === 'boolean') return null;
  if (type !== 'decimal') return unitsIn(String(value), to);
  // Without the zeros at its end, the decimal may have a smaller scale.
  const text = decimalOf(BigInt(value), scale);
  return unitsIn(scale === 0 ? text : text.replace(/\.?0+$/, ''), to);
}

/** A decimal in another type; null if it is not equal. */
function fromUnits(units: bigint, scale: number, to: ColumnType): Stored {
  const text = decimalOf(units, scale);
  if (to === 'text') return text;
  const number = Number(text);
  if (to === 'boolean' || (to === 'bigint' && !Number.isSafeInteger(number))) return null;
  return unitsIn(String(number), scale) === units ? number : null;
}

/** A value in another type; null if a conversion back would not return it, or of a text and a decimal an equal one. */
export function converted(value: Stored, from: StoredType, to: StoredType): Stored {
  if (value === null || isList(from) || isList(to)) return null;
  if (to.type === 'decimal') return toUnits(value, from, to.scale ?? 0);
  if (from.type === 'decimal') return fromUnits(BigInt(value), from.scale ?? 0, to.type);
  const plain = typeof value === 'bigint' ? Number(value) : value;
  const result = stored(plain, from.type, to.type);
  return result !== null && stored(result, to.type, from.type) === plain ? result : null;
}

/** Defines the SQL functions of migrations, and allows them to change definitions. */
export function defineFunctions(database: DatabaseSync): void {
  database.enableDefensive(false);
  database.function('without_foreign_key', { deterministic: true }, (definition, column) =>
    withoutForeignKey(String(definition), String(column)),
  );
  database.function('converted', { deterministic: true, useBigIntArguments: true }, (value, from, to) => {
    const [before, after] = [from, to].map((type) => unitStorage.typeOf(String(type)));
    return before && after ? converted(value as Stored, before, after) : null;
  });
}

const call = ({ column, from }: Conversion, value: string): string =>
  `converted(${value}, ${literal(unitStorage.type(from))}, ${literal(unitStorage.type(column))})`;

/** SQLite cannot change a column's type: a new column replaces it. */
function convert(conversion: Conversion, unique: readonly string[], kept: readonly Index[]): string[] {
  const { table, column } = conversion;
  const name = quote(table);
  const next = { ...column, name: '_converted' };
  return [
    ...unique.map((index) => `drop index if exists ${quote(index)}`),
    `alter table ${name} add column ${columnDefinition(next, commonDialect)}`,
    `update ${name} set ${quote(next.name)} = ${call(conversion, quote(column.name))}`,
    `alter table ${name} drop column ${quote(column.name)}`,
    `alter table ${name} rename column ${quote(next.name)} to ${quote(column.name)}`,
    ...kept.map((index) => createIndex(index, commonDialect)),
  ];
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
  convert,
  converted: call,
  distribute: () => [],
};
