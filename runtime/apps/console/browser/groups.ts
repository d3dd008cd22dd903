import { problemOf, type Reader, type RecordData, type Value } from './api.ts';
import type { Resource } from './model.ts';

/** The records of a list that have the same value in a field; null if they have none. */
export interface Group {
  readonly value: Value;
  readonly count: number;
}

/**
 * Reads counts or sums of the records of a list.
 *
 * @param query the filters and the search of the list, with `by` or `sum`
 * @throws as `Api` does
 */
export async function readCounts(
  api: Reader,
  { path }: Resource,
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<readonly RecordData[]> {
  const { data } = await api.get<{ readonly data: readonly RecordData[] }>(`${path}/count?${query}`, signal);
  return data;
}

/**
 * Counts the records of a list by a field, the largest group first.
 *
 * @param query the filters and the search of the list
 * @returns null if there are more groups than the service counts, which is no failure that another attempt mends
 * @throws as `Api` does
 */
export async function countBy(
  api: Reader,
  resource: Resource,
  by: string,
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<readonly Group[] | null> {
  try {
    const data = await readCounts(api, resource, new URLSearchParams([['by', by], ...query]), signal);
    return data.map((group) => ({ value: group[by] ?? null, count: Number(group['count']) }));
  } catch (error) {
    if (problemOf(error)?.code === 'too_many_groups') return null;
    throw error;
  }
}
