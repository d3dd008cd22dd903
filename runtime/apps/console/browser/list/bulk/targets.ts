import { maxBatchOperations } from '../../../../../kernel/model/limits.ts';
import type { Api, RecordData } from '../../api.ts';
import { type Resource, updatedAt } from '../../model.ts';
import { allPages } from '../pages.ts';
import { type ListQuery, selectionOf } from '../query.ts';
import type { Selection } from '../selection.ts';
import type { Target } from './run.ts';

const targetOf = (record: RecordData): Target => {
  const seen = record[updatedAt];
  return { id: String(record['id']), seen: typeof seen === 'string' ? seen : undefined };
};

function* chunks(records: readonly RecordData[]): Iterable<readonly Target[]> {
  for (let start = 0; start < records.length; start += maxBatchOperations)
    yield records.slice(start, start + maxBatchOperations).map(targetOf);
}

/**
 * The chosen records, a hundred at a time. All of a filter are read page after page, the newest first, whatever the order of the list
 * is: it may follow from what is changed.
 *
 * @throws as `Api` does
 */
export async function* targetsOf(
  api: Api,
  resource: Resource,
  query: ListQuery,
  { records, isAll }: Selection,
): AsyncIterable<readonly Target[]> {
  if (!isAll) {
    yield* chunks([...records.values()]);
    return;
  }
  const parameters = selectionOf(resource, { ...query, sort: [] });
  const stamp = resource.fields.some(({ name }) => name === updatedAt) ? [updatedAt] : [];
  parameters.set('fields', ['id', ...stamp].join(','));
  for await (const { data } of allPages(api, resource.path, parameters)) yield* chunks(data);
}
