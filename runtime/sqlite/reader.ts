import { type Json, maxPageBytes, type Page, type Projection } from '../records/store.ts';
import { isFiltered } from '../sql/list.ts';
import { ProjectionSql } from '../sql/projection.ts';
import type { Dml, Statement, TableSql } from '../sql/table-sql.ts';
import { findPage, type FoundPage, type PageBudget, totalOf } from './page-reader.ts';
import { bufferOf, enoughFor, type PreparedStatements } from './prepared-statements.ts';
import { joinRecords, joinViews, recordBytes, viewBytes } from './record-sql.ts';
import type { RecordCache } from './record-cache.ts';
import type { Totals } from './totals.ts';

/** Records that are read by one statement: shorter ones, and those with line items. */
const maxJoined = 100;
const maxJoinedViews = 20;

/** Share of records up to which those missing in the cache are read one by one. */
const maxMisses = 0.25;

const comma = Buffer.from(',');

/** A page, or as much of it as is read at once. */
export interface PagePart extends Pick<FoundPage, 'total' | 'hasMore'> {
  /** JSON, as `Items`. */
  readonly chunks: readonly Buffer[];
  /** The ids of the records that follow. */
  readonly rest: readonly string[];
}

/** Records that are read at once. */
interface Slice {
  readonly ids: readonly string[];
  readonly rowids: readonly number[] | undefined;
  readonly maxBytes: number;
}

/** The state of a connection beside its rows. */
interface ReaderState {
  readonly totals: Totals;
  /** Only the main thread has one. */
  readonly cache?: RecordCache;
}

/** Reads records as JSON on one connection, within a transaction. */
export class Reader {
  readonly #dml: Dml;
  readonly #statements: PreparedStatements;
  readonly #state: ReaderState;

  constructor(dml: Dml, statements: PreparedStatements, state: ReaderState) {
    this.#dml = dml;
    this.#statements = statements;
    this.#state = state;
  }

  /** A record; a number instead of bytes that may be enough, if `maxBytes` are not. */
  get(organization: number, table: string, id: string, maxBytes?: number): Json | number | undefined {
    const sql = this.#dml.of(table, organization);
    const { cache } = this.#state;
    const cached = cache?.get(sql, id);
    if (cached !== undefined) return cached;
    // As a string: a short record as bytes takes a fifth more.
    const row = this.#statements.getWithin(sql.get(id), maxBytes);
    if (row === 'too long') return enoughFor(this.#statements, sql, id, maxBytes ?? maxPageBytes);
    const json = row?.[0] as string | undefined;
    if (json !== undefined) cache?.offer(sql, id, json);
    return json;
  }

  only(organization: number, table: string): string {
    return this.#statements.get(this.#dml.of(table, organization).only())?.[0] as string;
  }

  newest(organization: number, table: string): string[] {
    return this.#statements
      .all(this.#dml.of(table, organization).newest())
      .flatMap(([id]) => (id as string | null) ?? []);
  }

  /** The beginning of a page; see `findPage`. */
  page(organization: number, table: string, page: Page, budget: PageBudget): PagePart | 'too expensive' | undefined {
    const sql = this.#dml.of(table, organization);
    const statement = isFiltered(page) ? totalOf(sql, page) : undefined;
    const known = statement && this.#state.totals.get(statement);
    const found = findPage(this.#statements, sql, page, { ...budget, ...(known !== undefined && { total: known }) });
    if (found === undefined || found === 'too expensive') return found;
    const { total, hasMore, ids, rowids } = found;
    if (statement && known === undefined) this.#state.totals.set(statement, total);
    return { total, hasMore, ...this.#beginning(sql, ids, page.view, rowids) };
  }

  /** Remembers the total of a filtered list, which was counted on another connection. */
  rememberTotal(statement: Statement, total: number): void {
    this.#state.totals.set(statement, total);
  }

  /** As many of the records as are read at once, without those that are gone. */
  beginning(
    organization: number,
    table: string,
    ids: readonly string[],
    view?: Projection,
  ): Pick<PagePart, 'chunks' | 'rest'> {
    return this.#beginning(this.#dml.of(table, organization), ids, view);
  }

  /** A record, without the line items of a view and its last bracket. A number is of bytes that may be enough, if these are not. */
  record(
    organization: number,
    table: string,
    id: string,
    maxBytes: number,
    view?: Projection,
  ): Buffer | number | undefined {
    return this.#record(this.#dml.of(table, organization), id, maxBytes, view);
  }

  #record(sql: TableSql, id: string, maxBytes: number, view?: Projection): Buffer | number | undefined {
    const statement = view ? viewBytes(new ProjectionSql(this.#dml, sql, view), id) : recordBytes(sql, id);
    const row = this.#statements.getWithin(statement, maxBytes);
    return row === 'too long' ? enoughFor(this.#statements, sql, id, maxBytes) : bufferOf(row?.[0]);
  }

  #beginning(
    sql: TableSql,
    ids: readonly string[],
    view: Projection | undefined,
    rowids?: readonly number[],
  ): Pick<PagePart, 'chunks' | 'rest'> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let size = view ? maxJoinedViews : maxJoined;
    let start = 0;
    while (start < ids.length) {
      const end = Math.min(ids.length, start + size);
      const part = { ids: ids.slice(start, end), rowids: rowids?.slice(start, end), maxBytes: maxPageBytes - bytes };
      const slice = this.#slice(sql, part, view);
      if (slice === undefined && end - start === 1) break;
      if (slice === undefined) {
        size = Math.ceil((end - start) / 4);
        continue;
      }
      if (chunks.length > 0 && slice.length > 0) chunks.push(comma);
      chunks.push(...slice);
      for (const { length } of slice) bytes += length;
      start = end;
    }
    return { chunks, rest: ids.slice(start) };
  }

  /** The JSON of records, separated by commas; undefined if it is too long. */
  #slice(sql: TableSql, slice: Slice, view: Projection | undefined): Buffer[] | undefined {
    const { ids, rowids, maxBytes } = slice;
    if (view) return this.#join(joinViews(new ProjectionSql(this.#dml, sql, view), ids), maxBytes);
    const { cache } = this.#state;
    const cached = cache && ids.map((id) => cache.get(sql, id));
    const misses = cached?.filter((json) => json === undefined).length ?? ids.length;
    if (cache && cached && (misses <= ids.length * maxMisses || cache.hasRecent(ids))) {
      return this.#each(sql, slice, cached, cache);
    }
    const joined = this.#join(joinRecords(sql, ids, rowids), maxBytes);
    if (joined && cache) for (const id of ids) cache.noteRead(id);
    return joined;
  }

  /** Like `#join`, one by one: that takes twice as long, but single records can be cached. */
  #each(
    sql: TableSql,
    { ids, maxBytes }: Slice,
    cached: readonly (Buffer | undefined)[],
    cache: RecordCache,
  ): Buffer[] | undefined {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for (const [i, id] of ids.entries()) {
      const json = cached[i] ?? this.#record(sql, id, maxBytes);
      if (typeof json === 'number') return undefined;
      if (json === undefined) continue;
      if (cached[i] === undefined) cache.offer(sql, id, json);
      if (chunks.length > 0) chunks.push(comma);
      chunks.push(json);
      bytes += json.length;
      if (bytes > maxBytes) return undefined;
    }
    return chunks;
  }

  #join(statement: Statement, maxBytes: number): Buffer[] | undefined {
    const row = this.#statements.getWithin(statement, maxBytes);
    if (row === 'too long') return undefined;
    const joined = bufferOf(row?.[0]);
    return joined && joined.length > 0 ? [joined] : [];
  }
}
