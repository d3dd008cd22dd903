import type { Api, Page } from '../api.ts';
import type { Resource } from '../model.ts';
import { isNew, type Items, type Row, rowOf } from './draft.ts';

/** So many line items are read at once. */
const pageSize = 100;

/** The line items of a record that a new one starts with. */
export const noItems = (resource: Resource): readonly Items[] =>
  resource.items.map((one) => ({ resource: one, rows: [], total: 0, hasMore: false }));

/** The longest page that the service answers. */
const maxPageSize = 1000;

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
  const limit = Math.min(Math.max(count, pageSize), maxPageSize);
  const page = await api.get<Page>(resource.path, { parent_id: parentId, limit }, signal);
  return {
    resource,
    rows: page.data.map((record, place) => rowOf(resource, record, place)),
    total: page.total,
    hasMore: page.has_more,
  };
}

/** Reads the line items that are shown again: as many, and on to the last one with changes that are not stored. */
export async function reloadItems(api: Api, { resource, rows }: Items, parentId: string): Promise<Items> {
  const changed = rows.filter((row) => !isNew(row) && (row.isDeleted || Object.keys(row.edits).length > 0));
  let current = await loadItems(api, resource, parentId, undefined, rows.length);
  const isMissing = ({ stored }: Row): boolean => !current.rows.some((row) => row.stored['id'] === stored['id']);
  // Others may have added items before it.
  while (current.hasMore && changed.some(isMissing)) current = await loadMore(api, current, parentId);
  return current;
}

/** Reads the next page behind the rows that are there. @throws as `Api` does */
export async function loadMore(api: Api, items: Items, parentId: string): Promise<Items> {
  const { resource, rows } = items;
  const stored = rows.filter(({ place }) => place !== undefined);
  const last = stored.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0)).at(-1);
  const page = await api.get<Page>(resource.path, {
    parent_id: parentId,
    limit: pageSize,
    after: String(last?.stored['id'] ?? ''),
  });
  const known = new Set(stored.map((row) => row.stored['id']));
  const start = (last?.place ?? -1) + 1;
  const more = page.data
    .map((record, at) => rowOf(resource, record, start + at))
    .filter((row) => !known.has(row.stored['id']));
  const isNewRow = ({ place }: { place: number | undefined }): boolean => place === undefined;
  return {
    ...items,
    rows: [...rows.filter((row) => !isNewRow(row)), ...more, ...rows.filter(isNewRow)],
    total: page.total,
    hasMore: page.has_more,
  };
}
