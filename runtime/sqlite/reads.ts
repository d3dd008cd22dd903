import type { MaybePromise } from '../model/maybe-promise.ts';
import {
  type Items,
  type ItemStream,
  type Json,
  type Listing,
  maxPageBytes,
  type Page,
  type Projection,
} from '../records/store.ts';
import { isFiltered } from '../sql/list.ts';
import { streamLists, ProjectionSql } from '../sql/projection.ts';
import type { Dml } from '../sql/table-sql.ts';
import type { DatabaseWorker } from './database-worker.ts';
import { totalOf } from './page-reader.ts';
import type { ReadTransaction } from './read-transaction.ts';
import type { Reader } from './reader.ts';
import type { Client, Turns } from './turns.ts';

/** Work of a page on the main thread: about 0.1 ms for the rows that it skips, 0.5 ms for those that it compares. */
const shortBudget = { maxOffset: 10_000, maxCompared: 500 };

/** Records of a page on the main thread, and those of a stream that are read at once. */
const maxRecords = 100;

/** The parts that reads need. */
interface Resources {
  readonly dml: Dml;
  /** Reads on the main thread. */
  readonly reader: Reader;
  readonly transaction: ReadTransaction;
  readonly turns: Turns;
  /** @throws ApiError `unavailable` if the thread cannot open the file */
  readonly worker: () => DatabaseWorker;
}

/**
 * Reads short lists and records on the main thread. The worker thread reads what is counted, searched, deep or large, one
 * client after the other.
 */
export class Reads {
  readonly #with: Resources;

  constructor(resources: Resources) {
    this.#with = resources;
  }

  get(client: Client, table: string, id: string, maxBytes?: number): MaybePromise<Json | number | undefined> {
    const { reader, turns, worker } = this.#with;
    const { organization } = client;
    if (maxBytes === undefined || maxBytes <= maxPageBytes) return reader.get(organization, table, id, maxBytes);
    return turns.run(client, async () => worker().record(organization, table, id, maxBytes));
  }

  /** A record as the view shows it. */
  show(client: Client, table: string, id: string, view: Projection): Items | undefined {
    const { chunks, rest } = this.#with.reader.beginning(client.organization, table, [id], view);
    if (rest.length > 0) return this.#stream(client, table, new Uint8Array(), rest, view);
    return chunks.length === 0 ? undefined : chunks;
  }

  list(client: Client, table: string, page: Page): MaybePromise<Listing | undefined> {
    const listing = this.#short(client, table, page);
    if (listing !== 'too expensive') return listing;
    return this.#with.turns.run(client, () => this.#long(client, table, page));
  }

  #short({ organization }: Client, table: string, page: Page): Listing | 'too expensive' | undefined {
    if (page.limit > maxRecords || page.view?.expand?.length) return 'too expensive';
    const part = this.#with.reader.page(organization, table, page, shortBudget);
    if (part === undefined || part === 'too expensive') return part;
    const { total, hasMore, chunks, rest } = part;
    return rest.length > 0 ? 'too expensive' : { total, hasMore, items: chunks };
  }

  async #long(client: Client, table: string, page: Page): Promise<Listing | undefined> {
    const { dml, reader, transaction, worker } = this.#with;
    // Since it was requested, the rows of the list may have been counted for another page.
    const listing = isFiltered(page) && transaction.readAlone(() => this.#short(client, table, page));
    if (listing !== false && listing !== 'too expensive') return listing;
    const version = transaction.readAlone(() => transaction.version);
    const part = await worker().page(client.organization, table, page);
    if (!part) return undefined;
    const { total, hasMore, json, rest } = part;
    if (isFiltered(page)) {
      transaction.readAlone(() => {
        // While nothing is written, all connections see the same.
        if (version === transaction.version)
          reader.rememberTotal(totalOf(dml.of(table, client.organization), page), total);
      });
    }
    const items = rest.length > 0 ? this.#stream(client, table, json, rest, page.view) : [json];
    return { total, hasMore, items };
  }

  /** The JSON of records: what has been read, then a part at a time. */
  async *#stream(
    client: Client,
    table: string,
    start: Uint8Array,
    rest: readonly string[],
    view?: Projection,
  ): AsyncGenerator<Uint8Array | number> {
    const { turns, worker } = this.#with;
    let isFirst = start.length === 0;
    if (!isFirst) yield start;
    for (let at = 0; at < rest.length;) {
      const ids = rest.slice(at, at + maxRecords);
      const part = await turns.continue(client, async () => worker().records(client.organization, table, ids, view));
      const count = ids.length - part.rest.length;
      at += Math.max(count, 1);
      const [id = ''] = ids;
      const found =
        count > 0
          ? part.json
          : yield* readLong((maxBytes) =>
              turns.continue(client, async () => worker().record(client.organization, table, id, maxBytes, view)),
            );
      if (!found || found.length === 0) continue;
      if (!isFirst) yield Buffer.from(',');
      isFirst = false;
      if (count > 0 || !view) yield found;
      else yield* this.#streamLists(client, table, id, found, view);
    }
  }

  /** A record with lists of line items that are too long to be read with it. */
  #streamLists(client: Client, table: string, id: string, record: Uint8Array, view: Projection): ItemStream {
    const { dml, turns } = this.#with;
    const projection = new ProjectionSql(dml, dml.of(table, client.organization), view);
    return streamLists(projection, id, [record], (sql, page) =>
      turns.continue(client, () => this.#long(client, sql.table.name, page)),
    );
  }
}

/** Reads what may be longer than a page. The bytes that are read next are yielded before, as in a stream of items. */
async function* readLong<T>(read: (maxBytes: number) => Promise<T | number>): AsyncGenerator<number, T> {
  let found = await read(maxPageBytes);
  while (typeof found === 'number') {
    yield found;
    found = await read(found);
  }
  return found;
}
