import { hash } from 'node:crypto';
import type { Value } from '../model/fields.ts';
import { type Column, isAlwaysSet, type Table } from '../model/table.ts';
import { searchColumn, type SearchIndex, searchOf } from './search.ts';
import { foldedColumns, shortName, type UniqueKey, uniqueKeys } from './unique.ts';
import { isList, literal, quote, shownValue, sortableValue, unitStorage, type ValueStorage } from './values.ts';

export { literal, quote } from './values.ts';

/**
 * The table of the row counters: one for each table of records, with an empty `parent`, and one for each parent of line
 * items. Counters change in the transaction of the write; each is the sum of its shards, so that writers need not queue.
 */
export const rowCounters = '_row_counter';

/**
 * The table of the columns, as `lead.name`, that are known to hold no null because their field is required, of those that are
 * known to have no more decimals than their scale, as `fine.amount.2`, of those whose date-times are all written as timestamps,
 * as `lead.seen_at date-time`, and of unique ones whose `backfill` is stored in each row that held null, as `lead.code backfill`: a
 * start reads the rows of the others. The start of a version whose field has no such rule removes its row.
 */
export const requiredColumns = '_required_column';

/** The table of the events: what each write did to a record. */
export const events = '_event';

export const eventVersions = '_event_by_version';

/** The table of the responses to requests with an `Idempotency-Key`. */
export const answers = '_answer';

/** The table of the organizations. */
export const organizations = '_organization';

/** The table of the API keys: of each its digest, never the key itself. */
export const apiKeys = '_api_key';

/** The tables of the webhooks, of what each of them has sent or is to send, and of what one process does for all servers. */
export const webhooks = '_webhook';
export const deliveries = '_delivery';
export const leases = '_lease';

/** The column of each table that says which organization a row belongs to: the first one of its keys. */
export const organizationColumn = '_organization';

/** The column of each table that counts the writes of a row: its record's ETag. */
export const versionColumn = '_version';

export const versionDefinition = `${quote(versionColumn)} bigint not null default 1`;

/** The organization that is there from the start, and its name, which it keeps. */
export const mainOrganization = 1;
export const mainName = 'main';

/** Whether a table is the service's own, or another program's like Litestream's: no name of a spec begins so. */
export const isHelperTable = (name: string): boolean => name.startsWith('_');

/**
 * Characters of a parent's id in an index: PostgreSQL's indexes hold no long values, and parents stored outside this service
 * may have long ids. Only the items of parents with a shorter id have a row counter.
 */
export const parentPrefix = 500;

/** Whether the line items of this parent have a row counter. */
export const isCounted = (parent: Value): parent is string =>
  typeof parent === 'string' && (parent.length < parentPrefix || [...parent].length < parentPrefix);

/** The parts of a schema that differ between engines. */
export interface SchemaDialect {
  readonly values: ValueStorage;
  /** The collation that sorts ids by their bytes; empty if the engine does so by default. */
  readonly byBytes: string;
  /** Whether the definition of a table contains its foreign keys; otherwise they are added when all tables exist. */
  readonly definesForeignKeys: boolean;
  /** The keyword that creates or drops an index without blocking writes. */
  readonly concurrently: string;
  /** The prefix of a parent's id that an index holds. */
  readonly indexedParent: (field: string) => string;
  /** The keys of an index in which a nullable column is in the order of `nullableOrder` in table-sql.ts. */
  readonly orderedColumn: (column: string, isDescending: boolean) => readonly string[];
  /** The rest of an index, behind its table, by which a value finds the lists that have it; absent if there is none. */
  readonly listIndex?: (list: string) => string;
  /** The type of the column of words. */
  readonly wordsType: string;
  /**
   * Statements that create an index of words, over the column that holds them, and keep it up.
   *
   * @param concurrently the keyword, for an existing table
   */
  readonly createSearch: (search: SearchIndex, concurrently: string) => string[];
}

/** SQL that both engines understand; SQLite needs no other, but for searches, whose indexes have nothing in common. */
export const commonDialect: SchemaDialect = {
  values: unitStorage,
  byBytes: '',
  definesForeignKeys: true,
  concurrently: '',
  indexedParent: (field) => field,
  // Nulls are before all values, and last where an index is read backwards.
  orderedColumn: (column, isDescending) => (isDescending ? [column] : [`${column} is null`, column]),
  wordsType: 'text',
  createSearch: () => [],
};

export function columnDefinition(column: Column, dialect: SchemaDialect): string {
  const words: string[] = [quote(column.name), dialect.values.type(column)];
  // A foreign key finds the rows that reference a record by an index, which has the order of ids.
  if ((column.name === 'id' || column.references) && dialect.byBytes !== '') words.push(dialect.byBytes);
  if (isAlwaysSet(column)) words.push('not null');
  if (column.default !== null) words.push(`default ${dialect.values.literal(column, column.default)}`);
  return words.join(' ');
}

/** The definition of the column of words. */
export const searchDefinition = ({ wordsType }: SchemaDialect): string => `${quote(searchColumn)} ${wordsType}`;

/** The definition of a column of folded texts. */
export const foldedDefinition = (column: string): string => `${quote(column)} text`;

/** A constraint of the database: the last guard of a reference, whose rules the steps of a write keep. */
export interface ForeignKey {
  readonly name: string;
  readonly table: string;
  readonly column: string;
  /** The table that it references. */
  readonly target: string;
}

/** The foreign keys of a table. */
export const foreignKeys = ({ name: table, columns }: Table): ForeignKey[] =>
  columns.flatMap(({ name: column, references }) =>
    references ? [{ name: shortName(`${table}_${column}`, '_fkey'), table, column, target: references.table }] : [],
  );

/** It is checked at the end of a transaction: a cascade deletes the rows of a circle one after the other. */
export const foreignKeyDefinition = ({ name, column, target }: ForeignKey): string =>
  `constraint ${quote(name)} foreign key (${quote(organizationColumn)}, ${quote(column)})\n` +
  `    references ${quote(target)} (${quote(organizationColumn)}, "id") deferrable initially deferred`;

/** The definitions of the columns and the keys of a table. */
const tableBody = (table: Table, dialect: SchemaDialect): string =>
  [
    `${quote(organizationColumn)} bigint not null`,
    ...table.columns.map((column) => columnDefinition(column, dialect)),
    ...(searchOf(table) ? [searchDefinition(dialect)] : []),
    ...[...foldedColumns(table).values()].map(foldedDefinition),
    versionDefinition,
    `primary key (${quote(organizationColumn)}, "id")`,
    ...(dialect.definesForeignKeys ? foreignKeys(table).map(foreignKeyDefinition) : []),
  ].join(',\n  ');

/** The columns that identify a line item's parent. */
export const parentColumns = ({ parent }: Table): string[] =>
  parent ? [...(parent.typeField === undefined ? [] : [parent.typeField]), parent.field] : [];

export interface Index {
  readonly name: string;
  readonly table: string;
  /** Names of columns, or `idSuffix`. */
  readonly columns: readonly string[];
  /** The one of the columns that holds the parent's id. */
  readonly parent?: string;
  /** How a list is sorted by the second column. */
  readonly order?: { readonly column: Column; readonly isDescending: boolean };
  /** No two rows have the same values, unless one is null. */
  readonly unique?: UniqueKey;
}

/** The part of an id that sorts by time: all but the name of the resource. */
export const idSuffix = 'substr("id", length("id") - 25)';

/** The sort key of creation: the id, or its suffix if the resource was renamed, as older ids have another prefix. */
export const sortKey = ({ renamedFrom }: Table): string => (renamedFrom ? idSuffix : '"id"');

/** The value of `sortKey` in the row with this id. */
export const sortKeyOf = ({ renamedFrom }: Table, id: string): string => (renamedFrom ? id.slice(-26) : id);

/** The indexes of a table besides its primary key. */
export function indexes(described: Table, dialect: SchemaDialect): Index[] {
  const { name: table, kind, parent, renamedFrom, list } = described;
  const last = renamedFrom ? idSuffix : 'id';
  const index = (suffix: string, ...columns: readonly string[]): Index => ({
    name: `${table}_${suffix}`,
    table,
    columns: [organizationColumn, ...columns],
    ...(parent && { parent: parent.field }),
  });
  const unique = uniqueKeys(described).map((key): Index => ({
    name: key.name,
    table,
    columns: [organizationColumn, ...key.columns],
    unique: key,
  }));
  if (parent)
    return [index('by_parent', parent.field, 'idx', last), ...unique, ...referenceIndexes(described, last, dialect)];
  return [
    ...unique,
    ...(renamedFrom && kind === 'record' ? [index('by_creation', last)] : []),
    ...[...new Set([...list.filter, ...list.sort])].flatMap((field) => [
      ...(dialect.listIndex || !isList(columnOf(described, field))
        ? [fieldIndex(described, field, last, true, dialect)]
        : []),
      ...(list.sort.includes(field) ? [fieldIndex(described, field, last, false, dialect)] : []),
    ]),
  ];
}

const columnOf = ({ columns }: Table, name: string): Column => columns.find((one) => one.name === name) as Column;

/** The indexes by which the line items that reference a record are found. */
const referenceIndexes = (table: Table, last: string, dialect: SchemaDialect): Index[] =>
  table.columns.flatMap(({ name, references }) => (references ? [fieldIndex(table, name, last, true, dialect)] : []));

/**
 * An index for the filters of a field, and the descending order by it; ascending, rows with the same value are in another
 * order. Its name says all that it depends on, so that it is made again when one of that changes. Line items have one for
 * references alone: they are filtered and sorted within their parent.
 */
function fieldIndex(
  described: Table,
  field: string,
  last: string,
  isDescending: boolean,
  { values }: SchemaDialect,
): Index {
  const column = columnOf(described, field);
  const { type, backfill } = column;
  const parts = [
    field,
    type === 'text' ? '' : values.type(column),
    isList(column) ? 'has' : isDescending ? 'desc' : 'asc',
    last === 'id' ? '' : 'renamed',
    backfill === undefined ? '' : `backfill-${hash('sha256', literal(backfill), 'hex').slice(0, 12)}`,
  ];
  // Databases have the index under this name: under another one, it would be made again.
  const name = shortName(`_${described.name}.${parts.filter((part) => part !== '').join('.')}`, '', 40);
  const order = { column, isDescending };
  return { name, table: described.name, columns: [organizationColumn, field, last], order };
}

/** Whether an index is one of `fieldIndex`. */
export const isFieldIndex = (name: string): boolean => /^_.*[.]/.test(name);

/** Characters of a line of `generated/schema.sql`, without its semicolon. */
const maxLine = 119;

/** @param concurrently `SchemaDialect.concurrently` for an existing table */
export function createIndex(
  { name, table, columns, parent, order, unique }: Index,
  dialect: SchemaDialect,
  concurrently = '',
): string {
  const create = unique ? 'create unique index' : 'create index';
  const named = `${create}${concurrently && ` ${concurrently}`} ${quote(name)}\n  on ${quote(table)}`;
  if (order && isList(order.column))
    return `${named}\n  ${dialect.listIndex?.(shownValue(order.column, dialect.values))}`;
  const keys = columns.flatMap((column, at) => {
    const key = column === idSuffix ? column : quote(column);
    if (order && at === 1)
      return dialect.orderedColumn(sortableValue(order.column, dialect.values), order.isDescending);
    if (order && at === 2 && !order.isDescending) return `${key} desc`;
    return column === parent ? dialect.indexedParent(key) : key;
  });
  const line = `(${keys.join(', ')})`;
  const isLong = `  on ${quote(table)}`.length + line.length >= maxLine;
  const end = line.length + 2 > maxLine ? `(${keys.join(',\n  ')})` : line;
  return `${named}${isLong ? '\n  ' : ' '}${end}`;
}

/** A row stays for ever, so that no id is used again. A deletion sets `deleted_at`, then removes the name. */
const createOrganizations = `create table ${quote(organizations)} (
  "id" bigint not null primary key,
  "name" text unique,
  "created_at" text,
  "deleted_at" text
)`;

const insertMain = `insert into ${quote(organizations)} values (${mainOrganization}, ${literal(mainName)}, null, null)`;

export const createRowCounters = `create table ${quote(rowCounters)} (
  ${quote(organizationColumn)} bigint not null,
  "table" text not null,
  "parent" text not null,
  "shard" bigint not null,
  "count" bigint not null,
  primary key (${quote(organizationColumn)}, "table", "parent", "shard")
)`;

const createRequiredColumns = `create table ${quote(requiredColumns)} (
  "name" text not null primary key
)`;

/** Found by its id. Scopes are separated by spaces, and times are in UTC. */
const createApiKeys = `create table ${quote(apiKeys)} (
  "id" text not null primary key,
  ${quote(organizationColumn)} bigint not null,
  "digest" text not null,
  "name" text not null,
  "scopes" text not null,
  "rate" text,
  "created_at" text not null,
  "expires_at" text,
  "revoked_at" text,
  "last_used_at" text
)`;

/** `filter` has resources and operations, separated by spaces; events up to `position` are queued. `why` it is off. */
const createWebhooks = `create table ${quote(webhooks)} (
  "id" text not null primary key,
  ${quote(organizationColumn)} bigint not null,
  "url" text not null,
  "secret" text not null,
  "filter" text not null,
  "state" text not null,
  "why" text,
  "position" bigint not null,
  "created_at" text not null
)`;

/**
 * Times are in milliseconds. `at` is the time of the next attempt, `never` behind another delivery of the record that waits; of a
 * delivery that is over, the time of its last attempt.
 */
const createDeliveries = `create table ${quote(deliveries)} (
  ${quote(organizationColumn)} bigint not null,
  "webhook" text not null,
  "event" bigint not null,
  "type" text not null,
  "record" text not null,
  "state" text not null,
  "attempts" bigint not null,
  "queued" bigint not null,
  "at" bigint not null,
  "answer" text,
  "duration" bigint,
  primary key (${quote(organizationColumn)}, "webhook", "event")
)`;

/** Indexes of deliveries: those that wait by their turn and by record, those that are over by their age. */
const deliveryIndexes = [
  ['by_turn', '"webhook", "at", "event"', '='],
  ['by_record', '"webhook", "record", "event"', '='],
  ['by_age', '"at"', '<>'],
].map(
  ([name, columns, is]) =>
    `create index "${deliveries}_${name}"\n  on ${quote(deliveries)} ` +
    `(${quote(organizationColumn)}, ${columns}) where "state" ${is} 'waiting'`,
);

/** `until` is in milliseconds. */
const createLeases = `create table ${quote(leases)} (
  "name" text not null primary key,
  "holder" text not null,
  "until" bigint not null
)`;

/** The index of what a record was done: each version has one event. @param concurrently the keyword, for an existing table */
export const createEventVersions = (concurrently: string): string =>
  `create unique index${concurrently && ` ${concurrently}`} ${quote(eventVersions)} on ${quote(events)} ` +
  `(${quote(organizationColumn)}, "record", "version")`;

/** If writers do not take turns, an event gets its number when it is first read: see `numberEvents`. Times are in UTC. */
const createEvents = [
  `create table ${quote(events)} (
  ${quote(organizationColumn)} bigint not null,
  "number" bigint,
  "noted_at" bigint,
  "time" text not null,
  "actor" text,
  "request_id" text,
  "operation" text not null,
  "resource" text not null,
  "record" text not null,
  "version" bigint not null,
  "changes" text not null
)`,
  `create unique index "_event_by_number" on ${quote(events)} (${quote(organizationColumn)}, "number")`,
  createEventVersions(''),
  `create index "_event_unnumbered" on ${quote(events)} (${quote(organizationColumn)}, "noted_at") where "number" is null`,
];

/** The owner is a key, or a person. Times are in UTC. The answer is last: SQLite reads a long value to find what is behind it. */
const createAnswers = [
  `create table ${quote(answers)} (
  ${quote(organizationColumn)} bigint not null,
  "owner" text not null,
  "key" text not null,
  "digest" text not null,
  "time" text not null,
  "answer" text not null,
  primary key (${quote(organizationColumn)}, "owner", "key")
)`,
  `create index "_answer_by_time" on ${quote(answers)} (${quote(organizationColumn)}, "time")`,
];

/** The part of a table that its row counters depend on. */
export type Counted = Pick<Table, 'name' | 'kind' | 'parent'>;

/** Statements that delete the row counters of a table. Singletons have none. */
export const deleteCounters = ({ name, kind }: Counted): string[] =>
  kind === 'singleton' ? [] : [`delete from ${quote(rowCounters)} where "table" = ${literal(name)}`];

/** A query for what the row counters of a table should be: organization, `parent` and `count`. */
export function countByParent({ name, parent }: Counted): string {
  const field = parent ? quote(parent.field) : "''";
  const filter = parent ? ` where length(${field}) < ${parentPrefix}` : '';
  const keys = quote(organizationColumn) + (parent ? `, ${field}` : '');
  return (
    `select ${quote(organizationColumn)}, ${field} as "parent", count(*) as "count" ` +
    `from ${quote(name)}${filter} group by ${keys}`
  );
}

/** Statements that rebuild the row counters of a table of records or line items. */
export const rebuildCounter = (table: Counted): string[] => [
  ...deleteCounters(table),
  `insert into ${quote(rowCounters)} ` +
    `select ${quote(organizationColumn)}, ${literal(table.name)}, "parent", 0, "count" from (${countByParent(table)}) counted`,
  ...(table.kind === 'record' ? [`${addMainCounter(table)} on conflict do nothing`] : []),
];

/** The counter of `main` is there from the start: it tells a table of records from one of a singleton. */
const addMainCounter = ({ name }: Counted): string =>
  `insert into ${quote(rowCounters)} values (${mainOrganization}, ${literal(name)}, '', 0, 0)`;

/** Statements that create a table with its indexes and, for records, its row counter. */
export function createTableStatements(table: Table, dialect: SchemaDialect): string[] {
  const search = searchOf(table);
  return [
    `create table ${quote(table.name)} (\n  ${tableBody(table, dialect)}\n)`,
    ...indexes(table, dialect).map((index) => createIndex(index, dialect)),
    ...(search ? dialect.createSearch(search, '') : []),
    ...(table.kind === 'record' ? [addMainCounter(table)] : []),
  ];
}

/** The service's own tables with rows of organizations, and the columns by which these are found. */
export const ownedHelpers: Readonly<Record<string, string>> = {
  [rowCounters]: '"table", "parent", "shard"',
  [events]: '"record", "version"',
  [answers]: '"owner", "key"',
  [deliveries]: '"webhook", "event"',
};

/** The statements that create each of the service's own tables. */
export const helperTables: Readonly<Record<string, readonly string[]>> = {
  [organizations]: [createOrganizations, insertMain],
  [apiKeys]: [createApiKeys],
  [rowCounters]: [createRowCounters],
  [requiredColumns]: [createRequiredColumns],
  [webhooks]: [createWebhooks],
  [deliveries]: [createDeliveries, ...deliveryIndexes],
  [leases]: [createLeases],
  [events]: createEvents,
  [answers]: createAnswers,
};

/** Statements that create a new database, for both engines: the contents of `generated/schema.sql`. */
export const createSchema = (tables: readonly Table[]): string[] => [
  ...Object.values(helperTables).flat(),
  ...tables.flatMap((table) => createTableStatements(table, commonDialect)),
];
