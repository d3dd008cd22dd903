import type { DatabaseSync } from 'node:sqlite';
import type { ColumnType } from '../model/fields.ts';
import {
  columnDefinition,
  commonDialect,
  literal,
  mainOrganization,
  organizationColumn,
  quote,
} from '../sql/schema.ts';
import { prefixOf, searchColumn, type SearchIndex, searchPrefix } from '../sql/search.ts';
import { wordIndex } from '../sqlite/dialect.ts';
import type { Conversion, MigrationDialect, OlderTable, Step } from './plan.ts';

type Stored = string | number | null;

/** A stored value in another type; null if it is no value of that type. */
function stored(value: string | number, from: ColumnType, to: ColumnType): Stored {
  const source = from === 'boolean' && to === 'text' ? (value === 1 ? 'true' : 'false') : value;
  if (to === 'text') return String(source);
  if (to === 'boolean') return value === 'true' || value === 1 ? 1 : value === 'false' || value === 0 ? 0 : null;
  const number = Number(source);
  return (to === 'bigint' ? Number.isSafeInteger(number) : Number.isFinite(number)) ? number : null;
}

/** A value in another type; null if a conversion back would not return it. */
export function converted(value: Stored, from: ColumnType, to: ColumnType): Stored {
  if (value === null) return null;
  const result = stored(value, from, to);
  return result !== null && stored(result, to, from) === value ? result : null;
}

/** Defines `converted` as an SQL function. */
export const defineConverted = (database: DatabaseSync): void =>
  database.function('converted', { deterministic: true }, (value, from, to) =>
    converted(value as Stored, from as ColumnType, to as ColumnType),
  );

const call = ({ column, from }: Conversion, value: string): string =>
  `converted(${value}, ${literal(from)}, ${literal(column.type)})`;

/** SQLite cannot change a column's type: a new column replaces it. */
function convert(conversion: Conversion): string[] {
  const { table, column } = conversion;
  const name = quote(table);
  const next = { ...column, name: '_converted' };
  return [
    `alter table ${name} add column ${columnDefinition(next, commonDialect)}`,
    `update ${name} set ${quote(next.name)} = ${call(conversion, quote(column.name))}`,
    `alter table ${name} drop column ${quote(column.name)}`,
    `alter table ${name} rename column ${quote(next.name)} to ${quote(column.name)}`,
  ];
}

/** SQLite cannot change a table's primary key: a new table replaces it. */
function addOrganization({ table, columns, key }: OlderTable): string[] {
  const next = quote('_rebuilt');
  const definitions = [...columns].map(([name, { type, isRequired, default: value }]) =>
    [quote(name), type, isRequired && 'not null', value !== undefined && `default (${value})`]
      .filter(Boolean)
      .join(' '),
  );
  const names = [...columns.keys()].map(quote).join(', ');
  return [
    `create table ${next} (\n  ` +
      [
        `${quote(organizationColumn)} bigint not null`,
        ...definitions,
        `primary key (${[organizationColumn, ...key].map(quote).join(', ')})`,
      ].join(',\n  ') +
      '\n)',
    `insert into ${next} select ${mainOrganization}, ${names} from ${quote(table)}`,
    `drop table ${quote(table)}`,
    // Otherwise, views of the table keep another one from getting its name.
    'pragma legacy_alter_table = on',
    `alter table ${next} rename to ${quote(table)}`,
    'pragma legacy_alter_table = off',
  ];
}

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

/** Other programs search by it. One of an older version has its name in all of its parts. */
function dropSearch(name: string): Step {
  const prefix = prefixOf(name);
  const triggers = [quote(name), quote(`${name}.update`), ...triggersOf(name), ...triggersOf(prefix)];
  return {
    kind: 'incompatible',
    statements: [
      ...triggers.map((trigger) => `drop trigger if exists ${trigger}`),
      ...[name, prefix].map((table) => `drop table if exists ${quote(table)}`),
    ],
  };
}

export const sqliteDialect: MigrationDialect = {
  ...commonDialect,
  createSearch,
  dropSearch,
  convert,
  addOrganization,
  isConvertible: (conversion, value) => `${call(conversion, value)} is not null`,
  // A plan and its steps are one transaction.
  requireEmpty: () => [],
  distribute: () => [],
};
