import type { Api, Page, RecordData } from '../../api.ts';
import { type Resource, updatedAt } from '../../model.ts';
import { maxBatch } from '../../record/send.ts';
import { type ListQuery, selectionOf } from '../query.ts';
import type { Selection } from '../selection.ts';
import type { Target } from './run.ts';

/** The longest page that the service answers. */
const pageSize = 1_000;

const targetOf = (record: RecordData): Target => {
  const seen = record[updatedAt];
  return { id: String(record['id']), seen: typeof seen === 'string' ? seen : undefined };
};

function* chunks(records: readonly RecordData[]): Iterable<readonly Target[]> {
  for (let start = 0; start < records.length; start += maxBatch)
    yield records.slice(start, start + maxBatch).map(targetOf);
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
  parameters.set('limit', String(pageSize));
  for (;;) {
    const page = await api.get<Page>(`${resource.path}?${parameters}`);
    yield* chunks(page.data);
    const last = page.data.at(-1);
    if (!page.has_more || !last) return;
    parameters.set('after', String(last['id']));
  }
}
