import { ApiError, notFound } from '../model/errors.ts';
import type { Table } from '../model/table.ts';
import type { Items, Listing, Page, Projection } from './page.ts';
import type { Records, StoredRecord } from './store.ts';

/** @param id undefined for the one record of a singleton @throws ApiError `not_found` (404). */
export async function retrieveRecord(records: Records, table: Table, id?: string): Promise<StoredRecord> {
  if (id === undefined) return records.only(table.name);
  const record = await records.get(table.name, id);
  if (record === undefined) throw notFound(table.title, id);
  return record;
}

/** A record as the projection shows it. See `retrieveRecord`. */
export async function showRecord(
  records: Records,
  table: Table,
  id: string | undefined,
  projection: Projection,
): Promise<Items> {
  if (id === undefined) {
    const { json } = await records.only(table.name);
    const settings = JSON.parse(String(json)) as { id: string };
    return showRecord(records, table, settings.id, projection);
  }
  const shown = await records.show(table.name, [id], projection);
  if (shown?.length === 0) throw notFound(table.title, id);
  return shown ?? { ids: [id] };
}

/** @throws ApiError `invalid_query` (400) where `after` names no line item of the parent, or no record where a sort needs it. */
export async function listRecords(records: Records, table: Table, page: Page): Promise<Listing> {
  const listing = await records.list(table.name, page);
  if (listing) return listing;
  const missing = table.parent ? 'no item of this parent: it may have been deleted or moved' : 'no record of this list';
  const reason = page.sort ? `${missing}. With a "sort" it must exist` : missing;
  throw new ApiError(
    'invalid_query',
    `The query parameter "after" names ${reason}. Continue with "offset", or from the first page.`,
  );
}
