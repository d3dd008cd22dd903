import { mayBeLarge } from '../model/limits.ts';
import { BoundedMap } from '../records/bounded-map.ts';
import { cacheEntries, maxPageBytes, shortPage } from '../records/limits.ts';
import type { EventPage, EventQuery, StoredRecord } from '../records/store.ts';
import type { Page, Projection } from '../records/page.ts';
import type { Once, StoredAnswer } from '../records/write.ts';
import { isFiltered } from '../sql/list.ts';
import { ProjectionSql } from '../sql/projection.ts';
import { quote } from '../sql/schema.ts';
import { selectAnswer, storedAnswer } from '../sql/answers.ts';
import { readEvents } from '../sql/events.ts';
import type { Row, Statement } from '../sql/types.ts';
import type { TableSql } from '../sql/table-sql.ts';
import type { Dml } from '../sql/dml.ts';
import { type FoundPage, PageFinder } from './page-reader.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import type { RecordCache } from './record-cache.ts';

/** The JSON of records, or of as many as are read at once. */
export interface RecordsPart {
  /** Commas belong between them. */
  readonly chunks: readonly Uint8Array[];
  /** The ids of the records that follow. */
  readonly rest: readonly string[];
}

/** A record as its one chunk. */
export interface LongRecord extends Pick<RecordsPart, 'chunks'> {
  readonly version: number;
}

export interface PagePart extends Pick<FoundPage, 'total' | 'hasMore'>, RecordsPart {}

/** Reads records as JSON on one connection. */
export class Reader {
  readonly #dml: Dml;
  readonly #statements: PreparedStatements;
  readonly #cache: RecordCache | undefined;
  readonly #totals = new BoundedMap<string, { readonly total: number; readonly version: number }>(cacheEntries);
  #turn = -1;
  #dataVersion: unknown;
  #version = 0;

  /** @param cache is used by this connection alone */
  constructor(dml: Dml, statements: PreparedStatements, cache?: RecordCache) {
    this.#dml = dml;
    this.#statements = statements;
    this.#cache = cache;
  }

  /** Another one after any write that this connection has seen, or made. */
  get version(): number {
    return this.#version;
  }

  /** Notes that this process has changed records; all, if the ids are unknown. */
  noteCommit(ids: readonly string[] | undefined): void {
    this.#statements.rollback();
    this.#version++;
    if (ids) for (const id of ids) this.#cache?.delete(id);
    else this.#cache?.clear();
  }

  /**
   * Joins the read transaction of this turn of the event loop, or begins one, which takes as long as reading a record. All requests
   * of a turn had arrived when it began: none has to find what another process has committed since.
   */
  begin(): void {
    const turn = turnOfEventLoop();
    if (turn === this.#turn && this.#statements.database.isTransaction) return;
    this.#statements.rollback();
    this.#statements.run('begin');
    setImmediate(() => this.#statements.rollback());
    // Looks for writes of other connections: https://sqlite.org/pragma.html#pragma_data_version
    const dataVersion = this.#statements.run('pragma data_version')?.[0];
    // Not before: it may fail, and then the next read tries again.
    this.#turn = turn;
    if (dataVersion === this.#dataVersion) return;
    this.#dataVersion = dataVersion;
    this.#version++;
    this.#cache?.clear();
  }

  get(sql: TableSql, id: string): StoredRecord | undefined {
    return this.#cache?.get(sql, id) ?? this.#load(sql, id);
  }

  only(sql: TableSql): StoredRecord {
    return storedRecord(this.#statements.get(sql.only()) as Row);
  }

  /** A record that may be long, and its version. */
  long(sql: TableSql, id: string): LongRecord | undefined {
    const row = this.#statements.get(sql.statement('long', [id], () => selectOne(sql, '"id"', ', "_version"')));
    return row && { chunks: [row[0] as Uint8Array], version: Number(row[1]) };
  }

  answer(organization: number, once: Once, time: string, maxBytes?: number): StoredAnswer | undefined {
    const row = this.#statements.get(selectAnswer(this.#dml.dialect, organization, once, time, maxBytes));
    return row && storedAnswer(row);
  }

  events(organization: number, query: EventQuery): EventPage {
    const steps = readEvents(this.#dml.dialect, organization, query);
    let step = steps.next([]);
    while (!step.done) step = steps.next(step.value.statements.map((statement) => this.#statements.all(statement)));
    return step.value;
  }

  newest(sql: TableSql): string[] {
    return this.#statements.all(sql.newest()).flatMap(([id]) => (id as string | null) ?? []);
  }

  /** The beginning of a page; see `PageFinder`. Its transaction is open. */
  page(sql: TableSql, page: Page, isShort: boolean): PagePart | 'too expensive' | undefined {
    const remembered = isFiltered(page) ? this.#totals.get(totalKey(sql, page)) : undefined;
    const known = remembered?.version === this.#version ? remembered?.total : undefined;
    const found = new PageFinder(this.#statements, sql, page, isShort, known).find();
    if (found === undefined || found === 'too expensive') return found;
    const { total, hasMore, ids, rowids } = found;
    if (isFiltered(page)) this.rememberTotal(sql, page, total, this.#version);
    return { total, hasMore, ...this.records(sql, ids, page.projection, rowids) };
  }

  /** Remembers the total of a filtered list, which may have been counted on another connection since it had this version. */
  rememberTotal(sql: TableSql, page: Page, total: number, version: number): void {
    this.#totals.set(totalKey(sql, page), { total, version });
  }

  /**
   * The first of these records, without those that are gone: 1 MiB of JSON or one longer record. A record whose lists of line items
   * are longer than that is not read.
   *
   * @param rowids SQLite's numbers of the rows, if they were found in this transaction
   */
  records(sql: TableSql, ids: readonly string[], projection?: Projection, rowids?: readonly number[]): RecordsPart {
    return (projection ? undefined : this.#cached(sql, ids)) ?? this.#joined(sql, ids, projection, rowids);
  }

  #joined(sql: TableSql, ids: readonly string[], projection?: Projection, rowids?: readonly number[]): RecordsPart {
    const projectionSql = projection && new ProjectionSql(this.#dml, sql, projection);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    let at = 0;
    // One at a time if together they may be too long, or have been.
    let size = mayBeLarge(sql.table) ? 1 : shortPage;
    while (at < ids.length && bytes < maxPageBytes) {
      const end = at + size;
      const statement = projectionSql
        ? joinProjections(projectionSql, ids.slice(at, end))
        : joinRecords(sql, ids.slice(at, end), rowids?.slice(at, end));
      const isAnyLength = size === 1 && bytes === 0 && !projectionSql?.isExpanded;
      const row = this.#statements.getWithin(statement, isAnyLength ? Infinity : maxPageBytes - bytes);
      if (row === 'too long' && size === 1) break;
      if (row === 'too long') {
        size = 1;
        continue;
      }
      const joined = row?.[0] as Uint8Array | null | undefined;
      if (joined) chunks.push(joined);
      bytes += joined?.length ?? 0;
      at = end;
    }
    const areShort = chunks.length > 1 && !mayBeLarge(sql.table);
    return { chunks: areShort ? [Buffer.concat(separated(chunks))] : chunks, rest: ids.slice(at) };
  }

  /**
   * Reads records one by one: that takes twice as long, but single records can be cached. Undefined if one of them is not cached, and
   * they would not be now.
   */
  #cached(sql: TableSql, ids: readonly string[]): RecordsPart | undefined {
    const cache = this.#cache;
    if (!cache) return undefined;
    const cached = ids.map((id) => cache.get(sql, id)?.json);
    if (cached.includes(undefined) && !cache.areRecent(ids)) {
      for (const id of ids) cache.noteRead(id);
      return undefined;
    }
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    let at = 0;
    for (; at < ids.length && bytes < maxPageBytes; at++) {
      const json = cached[at] ?? Buffer.from(this.#load(sql, ids[at] as string)?.json ?? '');
      bytes += json.length;
      if (json.length > 0) chunks.push(json);
    }
    return { chunks, rest: ids.slice(at) };
  }

  #load(sql: TableSql, id: string): StoredRecord | undefined {
    // As a string: a short record as bytes takes a fifth more.
    const row = this.#statements.get(sql.get(id));
    const record = row && storedRecord(row);
    if (record) this.#cache?.offer(sql, id, record);
    return record;
  }
}

const storedRecord = ([json, version]: Row): StoredRecord => ({ json: json as string, version: Number(version) });

/** A query for one record in UTF-8, without a copy, as it may be long. */
const selectOne = (sql: TableSql, key: string, columns = ''): string =>
  `select cast(${sql.dialect.recordJson(sql.table)} as blob)${columns} from ${sql.organizationRows([`${key} = ${sql.param(1)}`])}`;

/**
 * A number that no other turn of the event loop has. It grows before the loop asks the system for events, and when all of those that
 * it got have been handled.
 */
function turnOfEventLoop(): number {
  const { loopCount, events } = performance.nodeTiming.uvMetricsInfo;
  return loopCount + events;
}

const comma = Buffer.from(',');

/** Chunks with commas between them. */
export function separated(chunks: readonly Uint8Array[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (const chunk of chunks) parts.push(comma, chunk);
  return parts.slice(1);
}

/** All that the total of a list depends on. */
const totalKey = ({ organization, table }: TableSql, { where, filter, search }: Page): string =>
  JSON.stringify([organization, table.name, where, filter, search]);

// Bytes instead of strings: a page of them takes less time, and no long string lingers in memory.

/**
 * The JSON of records, separated by commas.
 *
 * @param rowids SQLite's numbers of the rows, which it finds in one search, and ids in two
 */
function joinRecords(sql: TableSql, ids: readonly string[], rowids?: readonly number[]): Statement {
  const key = rowids ? '_rowid_' : '"id"';
  const [first, ...others] = rowids ?? ids;
  if (first !== undefined && others.length === 0) {
    return sql.statement(`one ${key}`, [first], () => selectOne(sql, key));
  }
  // A cross join has the order of its left side: https://sqlite.org/lang_select.html#side_note_special_handling_of_cross_join_
  return sql.statement(
    `join ${key}`,
    [JSON.stringify(rowids ?? ids)],
    () =>
      `select cast(group_concat("_json") as blob) from (select ${sql.dialect.recordJson(sql.table)} as "_json" ` +
      `from (select value as "_key" from json_each(${sql.param(1)})) cross join ${sql.organizationRows([`${key} = "_key"`])})`,
  );
}

/** The same, as a projection shows them. */
function joinProjections(projection: ProjectionSql, ids: readonly string[]): Statement {
  const { sql } = projection;
  return projection.statement(
    'slice',
    [JSON.stringify(ids), projection.shown],
    () =>
      `select cast(string_agg("_json" || '}', ',') as blob) from ` +
      `(select ${projection.json(quote(sql.table.name), sql.param(2))} as "_json" ` +
      `from (select value as "_key" from json_each(${sql.param(1)})) cross join ${sql.organizationRows(['"id" = "_key"'])})`,
  );
}
