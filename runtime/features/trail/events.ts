import type { Value } from '../../kernel/model/fields.ts';
import { type Column, isFree, type Table } from '../../kernel/model/table.ts';
import { maxListLimit } from '../../kernel/model/limits.ts';
import { maxPageBytes } from '../../kernel/records/limits.ts';
import type { OrganizationWrite, Origin } from '../../kernel/records/write.ts';
import { hasEvents } from '../../kernel/sql/changes.ts';
import type { Dml } from '../../kernel/sql/dml.ts';
import { literal, organizationColumn, quote, rowCounters, versionColumn } from '../../kernel/sql/schema.ts';
import { events } from './event-table.ts';
import type { NewEvent, Read, Row, Statement, Steps } from '../../kernel/sql/types.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { QueryDialect } from '../../kernel/sql/query-dialect.ts';
import type { Engine } from '../../kernel/sql/values.ts';
import type { RecordValue } from '../../kernel/model/fields.ts';
import { JsonText, membersOf, printJson } from '../../kernel/values/json-text.ts';

/** Statements that store events, in their order. */
export const noteEvents = (
  { dialect }: Pick<Dml, 'dialect'>,
  { organization, origin: { actor, requestId, time } }: OrganizationWrite,
  noted: readonly NewEvent[],
): Statement[] =>
  noted.map(({ operation, resource, record, version, changes }) => ({
    text: insertEvent(dialect),
    values: [organization, time, actor, requestId, operation, resource, record, version, printJson(changes())],
  }));

/**
 * Statements that store the events of rows before a delete: the database makes them, as they may be very many.
 *
 * @param ids of rows that are locked
 */
export function noteDeleted(sql: TableSql, { actor, requestId, time }: Origin, ids: readonly string[]): Statement[] {
  const { table, dialect } = sql;
  if (!hasEvents(table)) return [];
  const insert = sql.statement('note deleted', [time, actor, requestId, ids], () => {
    const given = [1, 2, 3].map((n) => `cast(${sql.param(n)} as text)`);
    const changes = table.columns.map(
      (column) => `'"${column.name}":[' || nullif(${dialect.valueJson(column)}, 'null') || ',null]'`,
    );
    const { number, notedAt } = newEvent[dialect.engine];
    const ofRow = [`'delete'`, literal(table.path), '"id"', `${quote(versionColumn)} + 1`];
    const json = `'{' || ${dialect.joined(changes)} || '}'`;
    const next = `${number} + row_number() over () - 1`;
    const values = [quote(organizationColumn), next, notedAt, ...given, ...ofRow, json];
    const rows = sql.organizationRows([dialect.isIn(sql.column('id'), '"id"', sql.param(4))]);
    return `insert into ${events} (${storedColumns()}) select ${values.join(', ')} from ${rows}`;
  });
  return [insert];
}

const columns = ['time', 'actor', 'request_id', 'operation', 'resource', 'record', 'version', 'changes'];

/** The columns of the JSON of an event. */
export const shownColumns = ['number', ...columns].map(quote).join(', ');

const storedColumns = (): string => [organizationColumn, 'number', 'noted_at', ...columns].map(quote).join(', ');

/** The number that follows those of an organization: its newest event is never removed. @param owner a parameter */
const nextNumber = (owner: string): string =>
  `(select coalesce(max("number"), 0) + 1 from ${events} where ${quote(organizationColumn)} = ${owner})`;

/**
 * The number of a new event, null if readers number it as writers do not take turns, and the time by which they do, in
 * microseconds. Citus keeps no plan of an insert with a volatile function, like `clock_timestamp`.
 */
const newEvent: Readonly<Record<Engine, Readonly<Record<'number' | 'notedAt', string>>>> = {
  sqlite: { number: nextNumber('?1'), notedAt: 'null' },
  postgres: { number: 'null', notedAt: 'cast(extract(epoch from statement_timestamp()) * 1000000 as bigint)' },
};

const insertTexts = new WeakMap<QueryDialect, string>();

const insertEvent = (dialect: QueryDialect): string =>
  insertTexts.getOrInsertComputed(dialect, () => {
    const given = columns.map((_, i) => dialect.parameter(i + 2)).join(', ');
    const { number, notedAt } = newEvent[dialect.engine];
    return `insert into ${events} (${storedColumns()}) values (${dialect.parameter(1)}, ${number}, ${notedAt}, ${given})`;
  });

const unnumbered = (owner: string): string =>
  `from ${events} where ${quote(organizationColumn)} = ${owner} and "number" is null`;

/** Selects a row if there are events that `numberEvents` has to number. */
export const findUnnumbered = (dialect: QueryDialect, organization: number): Statement => ({
  text: `select 1 ${unnumbered(dialect.parameter(1))} limit 1`,
  values: [organization],
});

/**
 * Numbers events, where writers do not take turns: a number that a writer took could be visible before a lower one. So they are
 * numbered when they are visible, by one reader after the other, `maxListLimit` at once; those of a record in the order of its
 * versions.
 *
 * @returns whether there may be more
 */
export function* numberEvents(dialect: QueryDialect, organization: number): Steps<boolean> {
  const owner = dialect.parameter(1);
  const lock =
    `insert into ${rowCounters} values (${owner}, '${events}', '', 0, 0) ` +
    `on conflict (${quote(organizationColumn)}, "table", "parent", "shard") do update set "count" = 0`;
  const ofRecord = `from ${events} where ${quote(organizationColumn)} = ${owner} and "record" = _slice."record"`;
  // Without statistics, the planner would read and sort all of them, unless a range of times made them seem few.
  const slice =
    `select "record", min("version") as "low", max("version") as "high" from (select "record", "version" ` +
    `${unnumbered(owner)} and "noted_at" between 0 and ${Number.MAX_SAFE_INTEGER} order by "noted_at" limit ${maxListLimit}) as _oldest group by "record"`;
  // The clock may have been set back between two events of a record: those before one of the slice belong to it.
  const numbered = `select "version" ${ofRecord} and "version" < _slice."low" and coalesce("number", 0) > 0 order by "version" desc limit 1`;
  const whole =
    // Not `is null`: by the index of that, each would be compared with all that have no number, which seem to be few.
    `select "record", "version", max("noted_at") over (order by "version") as "at" ${ofRecord} ` +
    `and "version" > coalesce((${numbered}), 0) and "version" <= _slice."high" and coalesce("number", 0) = 0`;
  const next = `select _whole.* from (${slice}) as _slice cross join lateral (${whole}) as _whole order by "at", "version" limit ${maxListLimit}`;
  const fresh = `select "record", "version", row_number() over (order by "at", "version") as "place" from (${next}) as _next`;
  const set =
    `with _fresh as (${fresh}) update ${events} set "number" = _fresh."place" - 1 + ${nextNumber(owner)} from _fresh ` +
    `where ${events}.${quote(organizationColumn)} = ${owner} ` +
    `and ${events}."record" = _fresh."record" and ${events}."version" = _fresh."version" returning 1`;
  // The second statement sees what was committed before it got the lock.
  const texts = [lock, set];
  const statements = texts.map((text) => ({ text, values: [organization] }));
  const [, rows = []] = yield { statements, isChange: true };
  return rows.length >= maxListLimit;
}

/** Numbers all events that are not: the last page is that of the newest ones. */
function* numberAll(dialect: QueryDialect, organization: number): Steps<void> {
  const [found = []] = yield { statements: [findUnnumbered(dialect, organization)] };
  for (let isMore = found.length > 0; isMore;) isMore = yield* numberEvents(dialect, organization);
}

/** Events among which those that a filter finds are looked for at once: the others have no index, and may be all. */
const searchedAtOnce = 10 * maxListLimit;

/** The events of a page: the values behind `resources` are equal to a value of the event. */
export interface EventQuery {
  readonly limit: number;
  readonly isDescending?: boolean;
  /** The number behind which the page begins. */
  readonly after?: number;
  /** The number up to which it goes. */
  readonly until?: number;
  readonly resources?: readonly string[];
  readonly number?: number;
  readonly record?: string;
  /** The lowest and the highest version that the record has after them. */
  readonly versions?: readonly [number, number];
  readonly operation?: string;
  readonly actor?: string;
  readonly request_id?: string;
  readonly time?: string;
  /** Bytes of changes that the events have together, unless there is one alone: without it `maxPageBytes`. */
  readonly maxBytes?: number;
}

export interface EventPage {
  /** The JSON of each. */
  readonly events: readonly string[];
  /** Whether there may be more. */
  readonly hasMore: boolean;
  /** The number behind which the next page begins. */
  readonly last: number;
  /** The number of the first event that is there, if the one behind `after` was removed. */
  readonly firstKept?: number;
}

/** A page of what was done to records. It may have fewer events than there are, or none. */
export const eventPages: Read<[EventQuery], EventPage> = {
  steps: ({ dialect }, ...request) => readEvents(dialect, ...request),
};

/** Reads a page of events, oldest first also whether some behind `after` were removed. */
function* readEvents(dialect: QueryDialect, organization: number, query: EventQuery): Steps<EventPage> {
  // No event has U+0000, which PostgreSQL refuses.
  if (Object.values(query).some((value) => String(value).includes('\0')))
    return { events: [], hasMore: false, last: query.after ?? 0 };
  if (dialect.lock.exclusive !== '') yield* numberAll(dialect, organization);
  const page = yield* findEvents(dialect, organization, query);
  const { after = 0, isDescending } = query;
  if (after === 0 || isDescending) return page;
  const first = `select min("number") from ${events} where ${quote(organizationColumn)} = ${dialect.parameter(1)}`;
  // Behind the page: what is there now was there before. Numbers have no gaps but that of those that were removed.
  const [[[firstKept] = []] = []] = yield { statements: [{ text: first, values: [organization] }] };
  return Number(firstKept) > after + 1 ? { ...page, firstKept: Number(firstKept) } : page;
}

/** Reads a page of events. If a filter may find few, it looks for them in the next `searchedAtOnce` alone. */
function* findEvents(dialect: QueryDialect, organization: number, query: EventQuery): Steps<EventPage> {
  const { resources, operation, actor, record, number } = query;
  const isSearch = (resources ?? operation ?? actor) !== undefined && (record ?? number) === undefined;
  if (!isSearch) return eventPage((yield { statements: [selectEvents(dialect, organization, query)] })[0] ?? [], query);
  const [[[count, last] = []] = []] = yield { statements: [selectRange(dialect, organization, query)] };
  if (Number(count) === 0) return eventPage([], query);
  const until = Number(last);
  const [rows = []] = yield { statements: [selectEvents(dialect, organization, { ...query, until })] };
  return eventPage(rows, query, { last: until, hasMore: Number(count) === searchedAtOnce });
}

/** The parameters of a statement, and the conditions on the numbers of its events. */
function numbersOf(dialect: QueryDialect, organization: number, { after, until, isDescending = false }: EventQuery) {
  const values: (Value | readonly string[])[] = [organization];
  const bind = (value: Value | readonly string[]): string => dialect.parameter(values.push(value));
  const [beyond, order] = isDescending ? (['<', ' desc'] as const) : (['>', ''] as const);
  const conditions = [
    `${quote(organizationColumn)} = ${dialect.parameter(1)}`,
    after === undefined ? '"number" is not null' : `"number" ${beyond} ${bind(after)}`,
    ...(until === undefined ? [] : [`"number" ${isDescending ? '>=' : '<='} ${bind(until)}`]),
  ];
  return { values, bind, conditions, order: `order by "number"${order}` };
}

/** Counts the events behind `after` that are searched at once, and selects the number of the last one. */
function selectRange(dialect: QueryDialect, organization: number, query: EventQuery): Statement {
  const { values, conditions, order } = numbersOf(dialect, organization, query);
  const range = `select "number" from ${events} where ${conditions.join(' and ')} ${order} limit ${searchedAtOnce}`;
  const last = query.isDescending ? 'min' : 'max';
  return { text: `select count(*), ${last}("number") from (${range}) as _range`, values };
}

/** Selects a page of events, as `eventJson` takes them: as many as are short enough together, or one. */
function selectEvents(dialect: QueryDialect, organization: number, query: EventQuery): Statement {
  const { resources, versions, limit, maxBytes = maxPageBytes } = query;
  const { values, bind, conditions: ofNumbers, order } = numbersOf(dialect, organization, query);
  const [ofOrganization] = ofNumbers;
  const conditions = [
    ...ofNumbers,
    ...(resources ? [dialect.isIn(textColumn, '"resource"', bind(resources))] : []),
    ...(versions ? [`"version" between ${versions.map(bind).join(' and ')}`] : []),
    ...sameNames.flatMap((name) => (query[name] === undefined ? [] : [`${quote(name)} = ${bind(query[name])}`])),
  ];
  // Only of those that are shown more than the length is read: a page of long ones would read gigabytes.
  const page = `select "number" as "at", octet_length("changes") as "length" from ${events} where ${conditions.join(' and ')} ${order} limit ${bind(limit + 1)}`;
  const behind = order.replace('"number"', '"at"');
  const measured =
    `select "at", count(*) over () as "found", row_number() over (${behind}) as "place", ` +
    `sum("length") over (${behind}) as "bytes" from (${page}) as _page`;
  const text =
    // SQLite reads the sides of a cross join in their order: the other way, it would read all events.
    `select "found", ${shownColumns} from (${measured}) as _measured cross join ${events} ` +
    `where ${ofOrganization} and "number" = "at" and ("place" = 1 or "bytes" <= ${maxBytes}) ${order}`;
  return { text, values };
}

const textColumn = { name: '', type: 'text' } as Column;

/** The members of a query that are columns, too. */
const sameNames = ['number', 'record', 'operation', 'actor', 'request_id', 'time'] as const;

/** Selects a row if a record has an event of this version or a later one. */
export const findEvent = (dialect: QueryDialect, organization: number, record: string, version: number): Statement => ({
  text:
    `select 1 from ${events} where ${quote(organizationColumn)} = ${dialect.parameter(1)} ` +
    `and "record" = ${dialect.parameter(2)} and "version" >= ${dialect.parameter(3)} limit 1`,
  values: [organization, record, version],
});

/** The page that the rows of `selectEvents` are. @param searched the end of what was searched for them */
function eventPage(
  rows: readonly Row[],
  { limit, after = 0 }: EventQuery,
  searched?: Pick<EventPage, 'hasMore' | 'last'>,
): EventPage {
  const shown = rows.slice(0, limit);
  const texts = shown.map(([, ...values]) => eventJson(values));
  const hasMore = Number(rows[0]?.[0] ?? 0) > shown.length;
  if (searched && !hasMore) return { events: texts, ...searched };
  const [, last = after] = shown.at(-1) ?? [];
  return { events: texts, hasMore, last: Number(last) };
}

/** The JSON of an event. @param row the values of `shownColumns` */
export function eventJson([number, ...values]: Row): string {
  const members = columns.map((name, i) => {
    const value = values[i];
    return `"${name}":${name === 'changes' || name === 'version' ? value : JSON.stringify(value)}`;
  });
  return `{"number":${number},${members.join()}}`;
}

/** Parses the JSON of an event of a table. */
export function parseEvent(table: Pick<Table, 'columns'>, json: string): Event {
  const event = JSON.parse(json) as Event;
  const free = table.columns.filter(isFree).flatMap(({ name, renamedFrom = [] }) => [name, ...renamedFrom]);
  const names = free.filter((name) => Object.hasOwn(event.changes, name));
  if (names.length === 0) return event;
  const texts = membersOf(membersOf(json).get('changes') as string);
  const changes = names.map((name) => {
    const sides = membersOf(texts.get(name) as string);
    const sideOf = (side: 0 | 1): RecordValue => {
      const value = event.changes[name]?.[side] ?? null;
      return typeof value === 'object' && value !== null ? new JsonText(sides.get(String(side)) as string) : value;
    };
    return [name, [sideOf(0), sideOf(1)]] as const;
  });
  return { ...event, changes: { ...event.changes, ...Object.fromEntries(changes) } };
}

/** An event as the API shows it. */
export interface Event {
  readonly number: number;
  readonly time: string;
  readonly actor: string | null;
  readonly request_id: string | null;
  readonly operation: string;
  readonly resource: string;
  readonly record: string;
  readonly version: number;
  readonly changes: Readonly<Record<string, readonly [before: RecordValue, after: RecordValue]>>;
}
