import { maxBatchOperations } from '../../../../kernel/model/limits.ts';
import type { Api, Page, RecordData } from '../api.ts';
import type { Resource } from '../model.ts';
import { isNew, type Items, type Row, storedRow } from './draft.ts';
import { isNotFound } from './failure.ts';
import { queued } from './send.ts';

/** So many line items are read at once. */
const pageSize = 100;

/** The line items of a record that a new one starts with. */
export const noItems = (resource: Resource): readonly Items[] =>
  resource.items.map((items) => ({ resource: items, rows: [], total: 0, hasMore: false }));

/** The longest page that the service answers. */
const maxPageSize = 1000;

const readPage = (
  api: Api,
  { path }: Resource,
  query: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Page> => api.get<Page>(`${path}?${new URLSearchParams(query)}`, signal);

/**
 * Reads the first page of line items.
 *
 * @param count of those that are shown already
 * @throws as `Api` does
 */
export async function loadItems(
  api: Api,
  resource: Resource,
  parentId: string,
  signal?: AbortSignal,
  count = pageSize,
): Promise<Items> {
  const limit = String(Math.min(Math.max(count, pageSize), maxPageSize));
  const page = await readPage(api, resource, { parent_id: parentId, limit }, signal);
  const rows = page.data.map((record, place) => storedRow(resource, record, place));
  return { resource, rows, total: page.total, hasMore: page.has_more };
}

/** The stored items with changes that are not stored. */
const changedRows = ({ rows }: Items): readonly Row[] =>
  rows.filter((row) => !isNew(row) && (row.isDeleted || Object.keys(row.edits).length > 0));

/** Reads the line items that are shown again: as many, and on to the last one with changes that are not stored. */
export async function reloadItems(api: Api, items: Items, parentId: string): Promise<Items> {
  const { resource, rows } = items;
  const changed = changedRows(items);
  let current = await loadItems(api, resource, parentId, undefined, rows.length);
  const isMissing = ({ base }: Row): boolean => !current.rows.some((row) => row.base['id'] === base['id']);
  // Others may have added items before it.
  while (current.hasMore && changed.some(isMissing)) current = (await loadMore(api, current, parentId))(current);
  return current;
}

/**
 * Reads them as `reloadItems` does, and those with changes as they are stored now, with their ETags. Lists have no ETags, and a
 * line item cannot be read by itself, but an update that changes nothing responds with it.
 */
export async function reloadWithEtags(api: Api, items: Items, parentId: string): Promise<Items> {
  const current = await reloadItems(api, items, parentId);
  const { path } = items.resource;
  const changed = new Set(changedRows(items).map(({ base }) => base['id']));
  const ids = current.rows.flatMap(({ base: { id } }) => (changed.has(id) ? [String(id)] : []));
  const read = new Map<unknown, RecordData>();
  try {
    for (let start = 0; start < ids.length; start += maxBatchOperations) {
      const chunk = ids.slice(start, start + maxBatchOperations);
      const records = await api.batch((requests) =>
        chunk.map((id) => queued(requests, { method: 'PATCH', path, id, body: {} })),
      );
      for (const record of records) read.set(record['id'], record);
    }
  } catch (error) {
    // Another user has just deleted one: the caller reads again.
    if (!isNotFound(error)) throw error;
  }
  return { ...current, rows: current.rows.map((row) => ({ ...row, base: read.get(row.base['id']) ?? row.base })) };
}

/** The stored row behind all others. */
const lastOf = (rows: readonly Row[]): Row | undefined =>
  rows
    .filter((row) => !isNew(row))
    .toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0))
    .at(-1);

/** Puts a page behind the stored rows that are there. */
function withPage(items: Items, page: Page): Items {
  const { resource, rows } = items;
  const storedRows = rows.filter((row) => !isNew(row));
  const ids = new Set(storedRows.map((row) => row.base['id']));
  const start = (lastOf(rows)?.place ?? -1) + 1;
  const more = page.data
    .map((record, at) => storedRow(resource, record, start + at))
    .filter((row) => !ids.has(row.base['id']));
  return { ...items, rows: [...storedRows, ...more, ...rows.filter(isNew)], total: page.total, hasMore: page.has_more };
}

/**
 * Reads the next page behind the rows that are there.
 *
 * @returns what adds it to the rows as they are then: the user may type meanwhile
 * @throws as `Api` does
 */
export async function loadMore(
  api: Api,
  { resource, rows }: Items,
  parentId: string,
  signal?: AbortSignal,
): Promise<(current: Items) => Items> {
  const after = lastOf(rows)?.base['id'];
  const query = { parent_id: parentId, limit: String(pageSize), ...(after !== undefined && { after: String(after) }) };
  const page = await readPage(api, resource, query, signal);
  return (current) => withPage(current, page);
}

/** Reads the line items that are not there yet, all of them. @throws as `Api` does */
export async function loadAll(api: Api, items: Items, parentId: string, signal?: AbortSignal): Promise<Items> {
  let all = items;
  while (all.hasMore) all = (await loadMore(api, all, parentId, signal))(all);
  return all;
}
