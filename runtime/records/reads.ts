import { ApiError, notFound } from '../model/errors.ts';
import { andThen, type MaybePromise } from '../model/maybe-promise.ts';
import type { Table } from '../model/table.ts';
import type { Items, ItemStream, Listing, Page, Projection } from './page.ts';
import type { Records, StoredRecord } from './store.ts';

/** @param id undefined for the one record of a singleton @throws ApiError `not_found` (404). */
export function retrieveRecord(records: Records, table: Table, id?: string): MaybePromise<StoredRecord> {
  if (id === undefined) return records.only(table.name);
  return andThen(records.get(table.name, id), (record) => {
    if (record === undefined) throw notFound(table.title, id);
    return record;
  });
}

/** A record as the projection shows it. See `retrieveRecord`. */
export function showRecord(
  records: Records,
  table: Table,
  id: string | undefined,
  projection: Projection,
): MaybePromise<Items> {
  if (id === undefined) {
    return andThen(records.only(table.name), ({ json }) => {
      const settings = JSON.parse(String(json)) as { id: string };
      return showRecord(records, table, settings.id, projection);
    });
  }
  return andThen(records.show(table.name, id, projection), (items) => {
    if (items === undefined) throw notFound(table.title, id);
    return typeof items === 'string' || Array.isArray(items) ? items : notEmpty(items as ItemStream);
  });
}

/** A streamed record may be deleted before it is read, when its response has begun. */
async function* notEmpty(chunks: ItemStream): ItemStream {
  let isEmpty = true;
  for await (const chunk of chunks) {
    isEmpty = false;
    yield chunk;
  }
  if (isEmpty) throw new ApiError('not_found', 'The record was deleted while it was read.');
}

/** @throws ApiError `invalid_query` (400) where `after` names no line item of the parent, or no record where a sort needs it. */
export function listRecords(records: Records, table: Table, page: Page): MaybePromise<Listing> {
  return andThen(records.list(table.name, page), (listing) => {
    if (listing) return listing;
    const missing = table.parent
      ? 'no item of this parent: it may have been deleted or moved'
      : 'no record of this list';
    const reason = page.sort ? `${missing}. With a "sort" it must exist` : missing;
    throw new ApiError(
      'invalid_query',
      `The query parameter "after" names ${reason}. Continue with "offset", or from the first page.`,
    );
  });
}
