import { BoundedMap } from '../../kernel/records/bounded-map.ts';
import { cacheEntries, maxPageBytes, shortPage } from '../../kernel/records/limits.ts';
import type { Items, Listing, Page, Projection } from '../../kernel/records/page.ts';
import { isFiltered } from '../../kernel/sql/list.ts';
import { quote } from '../../kernel/sql/schema.ts';
import type { Row, Rows, Statement } from '../../kernel/sql/types.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { View } from '../../kernel/sql/view.ts';
import type { Dml } from '../../kernel/sql/dml.ts';
import { PageFinder } from './page-reader.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import type { RecordCache, ShortRecord } from './record-cache.ts';

/** A record as bytes. */
export interface LongRecord {
  readonly json: Uint8Array;
  readonly version: number;
}

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

  get(sql: TableSql, id: string): ShortRecord | undefined {
    return this.#cache?.get(sql, id) ?? this.#load(sql, id);
  }

  only(sql: TableSql): ShortRecord {
    return storedRecord(this.#statements.get(sql.only()) as Row);
  }

  /** A record that may be long. */
  long(sql: TableSql, id: string): LongRecord | undefined {
    const row = this.#statements.get(sql.statement('long', [id], () => selectOne(sql, '"id"', ', "_version"')));
    return row && { json: row[0] as Uint8Array, version: Number(row[1]) };
  }

  /** The rows of statements. */
  rows(statements: readonly Statement[]): Rows {
    return statements.map((statement) => this.#statements.all(statement));
  }

  newest(sql: TableSql): string[] {
    return this.#statements.all(sql.newest()).flatMap(([id]) => (id as string | null) ?? []);
  }

  /** A page; see `PageFinder`. Its transaction is open. */
  page(sql: TableSql, page: Page, isShort: boolean): Listing | undefined {
    const remembered = isFiltered(page) ? this.#totals.get(totalKey(sql, page)) : undefined;
    const known = remembered?.version === this.#version ? remembered?.total : undefined;
    const found = new PageFinder(this.#statements, sql, page, isShort, known).find();
    if (!found) return undefined;
    const { total, hasMore, ids, rowids } = found;
    if (isFiltered(page)) this.rememberTotal(sql, page, total, this.#version);
    const cached = page.projection ? undefined : this.#cached(sql, ids);
    return { total, hasMore, items: cached ?? this.#items(sql, ids, rowids, page.projection) };
  }

  /** Reads some records after the other, until they are long together. */
  #items(sql: TableSql, ids: readonly string[], rowids: readonly number[], projection?: Projection): Items {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    let at = 0;
    for (; at < ids.length && bytes < maxPageBytes; at += shortPage) {
      const end = at + shortPage;
      const shown = this.show(sql, ids.slice(at, end), projection, rowids.slice(at, end));
      if (!shown) break;
      chunks.push(...shown);
      bytes += shown[0]?.length ?? 0;
    }
    return at < ids.length ? { first: separated(chunks), ids: ids.slice(at) } : separated(chunks);
  }

  /** Remembers the total of a filtered list, which may have been counted on another connection since it had this version. */
  rememberTotal(sql: TableSql, page: Page, total: number, version: number): void {
    this.#totals.set(totalKey(sql, page), { total, version });
  }

  /**
   * See `Records.show`.
   *
   * @param rowids SQLite's numbers of the rows, if they were found in this transaction
   */
  show(
    sql: TableSql,
    ids: readonly string[],
    projection?: Projection,
    rowids?: readonly number[],
  ): readonly Uint8Array[] | undefined {
    const view = this.#dml.view(sql, projection);
    const statement = view ? joinShown(sql, view, ids) : joinRecords(sql, ids, rowids);
    const isAnyLength = ids.length === 1 && !view?.isExpanded;
    const found = this.#statements.getWithin(statement, isAnyLength ? Infinity : maxPageBytes);
    const json = found?.row?.[0];
    return found && (json ? [json as Uint8Array] : []);
  }

  /**
   * Reads records one by one: that takes twice as long, but single records can be cached. Undefined if one of them is not cached, and
   * they would not be now, or if they are long together.
   */
  #cached(sql: TableSql, ids: readonly string[]): string | undefined {
    const cache = this.#cache;
    if (!cache) return undefined;
    const cached = ids.map((id) => cache.get(sql, id)?.json);
    if (cached.includes(undefined) && !cache.areRecent(ids)) {
      for (const id of ids) cache.noteRead(id);
      return undefined;
    }
    let all = '';
    for (const [at, id] of ids.entries()) {
      const json = cached[at] ?? this.#load(sql, id)?.json ?? '';
      all += all && json ? `,${json}` : json;
      if (all.length > maxPageBytes) return undefined;
    }
    // A character has at most three bytes: few pages are counted.
    return all.length > maxPageBytes / 3 && Buffer.byteLength(all) > maxPageBytes ? undefined : all;
  }

  #load(sql: TableSql, id: string): ShortRecord | undefined {
    const row = this.#statements.get(sql.get(id));
    const record = row && storedRecord(row);
    if (record) this.#cache?.offer(sql, id, record);
    return record;
  }
}

const storedRecord = ([json, version]: Row): ShortRecord => ({ json: json as string, version: Number(version) });

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
function separated(chunks: readonly Uint8Array[]): Uint8Array[] {
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
const joinShown = (sql: TableSql, view: View, ids: readonly string[]): Statement =>
  view.statement(
    'slice',
    [JSON.stringify(ids), view.shown],
    () =>
      `select cast(string_agg("_json" || '}', ',') as blob) from ` +
      `(select ${view.json(quote(sql.table.name), sql.param(2))} as "_json" ` +
      `from (select value as "_key" from json_each(${sql.param(1)})) cross join ${sql.organizationRows(['"id" = "_key"'])})`,
  );
