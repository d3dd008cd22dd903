import { maxEntries, maxListLimit } from '../../kernel/model/limits.ts';
import type { Table } from '../../kernel/model/table.ts';
import { maxPageBytes, pageBytes } from '../limits.ts';
import { type Api, TooLong } from './api.ts';
import type { ReadRecord } from './source-row.ts';

/** Records that were read together. */
export interface Page {
  readonly records: readonly ReadRecord[];
  /** The length of the whole list. */
  readonly total: number;
}

/** The parameters of the list of all records of a table, archived ones too. */
export const allOf = ({ unlistedBy }: Pick<Table, 'unlistedBy'>): Readonly<Record<string, string>> =>
  unlistedBy === undefined ? {} : { archived: 'any' };

interface PageResponse {
  readonly data: readonly ReadRecord[];
  readonly has_more: boolean;
  readonly total: number;
}

/**
 * Reads a list page by page, in constant memory however long its records are. The next page is asked for before this one is
 * used.
 *
 * @param query its parameters, without `limit` and `after`
 * @param free see `Api.get`
 */
export async function* readPages(
  api: Api,
  path: string,
  query: Readonly<Record<string, string>>,
  free: readonly string[] = [],
): AsyncGenerator<Page> {
  let limit = maxEntries;
  const read = async (after: Readonly<Record<string, string>>): Promise<PageResponse> => {
    for (;;) {
      const parameters = new URLSearchParams({ ...query, limit: String(limit), ...after });
      try {
        const { body, bytes } = await api.get<PageResponse>(
          `${path}?${parameters}`,
          limit === 1 ? Infinity : maxPageBytes,
          free,
        );
        const fitting = Math.floor((body.data.length * pageBytes) / bytes);
        limit = Math.max(1, Math.min(fitting, limit * 4, maxListLimit));
        return body;
      } catch (error) {
        if (!(error instanceof TooLong)) throw error;
        limit = Math.max(1, Math.floor(limit / 8));
      }
    }
  };
  let page = await read({});
  for (;;) {
    const { data, has_more: hasMore, total } = page;
    const next = hasMore ? read({ after: (data.at(-1) as ReadRecord).id }) : undefined;
    // It is awaited after the consumer is done with this page, or never.
    next?.catch(() => {});
    yield { records: data, total };
    if (!next) return;
    page = await next;
  }
}
