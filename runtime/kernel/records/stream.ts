import { ApiError } from '../model/errors.ts';
import { maxEntries, mayBeLarge } from '../model/limits.ts';
import { type Expandable, expandablesOf, type Table } from '../model/table.ts';
import { shortPage } from './limits.ts';
import { areLong, type ItemStream, type LongItems, type Projection, type ShownRecords } from './page.ts';
import type { Records } from './store.ts';

/**
 * Streams the JSON of records, separated by commas, without those that are gone by now. Some are read at once, when the client has
 * taken those before them: fewer if they are long together, and one by one if they may be long.
 */
export async function* streamRecords(
  records: Records,
  table: Table,
  { first = [], ids }: LongItems,
  projection?: Projection,
): ItemStream {
  yield* first;
  let size = mayBeLarge(table) ? 1 : shortPage;
  let isFirst = first.length === 0;
  for (let at = 0; at < ids.length;) {
    const some = ids.slice(at, at + size);
    const shown = await records.show(table.name, some, projection);
    if (shown === undefined && size > 1) {
      size = Math.ceil(size / 4);
      continue;
    }
    at += size;
    const chunks = shown ? chunksOf(shown) : await expanded(records, table, some, projection as Projection);
    if (shown?.length === 0 || !chunks) continue;
    // Not the same one each time, as the consumer may free it.
    if (!isFirst) yield Buffer.from(',');
    isFirst = false;
    yield* chunks;
  }
}

/** Streams a record. @throws ApiError `not_found` if it is gone by now */
export async function* streamRecord(records: Records, table: Table, id: string, projection: Projection): ItemStream {
  let isEmpty = true;
  for await (const chunk of streamRecords(records, table, { ids: [id] }, projection)) {
    isEmpty = false;
    yield chunk;
  }
  if (isEmpty) throw new ApiError('not_found', 'The record was deleted while it was read.');
}

/** A record whose lists are too long to be read with it; undefined if it is gone. */
async function expanded(
  records: Records,
  table: Table,
  [id = '']: readonly string[],
  projection: Projection,
): Promise<ItemStream | undefined> {
  const record = await records.show(table.name, [id], { ...projection, expand: [] });
  return record?.length ? withParts(records, table, id, record, projection) : undefined;
}

/** @param record its JSON without the parts that `expand` names */
async function* withParts(
  records: Records,
  table: Table,
  id: string,
  record: ShownRecords,
  { expand = [], withheld = [] }: Projection,
): ItemStream {
  const parts = expandablesOf(table).filter(({ name }) => expand.includes(name));
  const fields = ['id', ...parts.flatMap(({ column }) => column ?? [])];
  const named = JSON.parse(textOf(await records.show(table.name, [id], { fields })) || '{}') as Record<string, string>;
  yield Buffer.from(textOf(record).slice(0, -1));
  for (const [key, targets] of Map.groupBy(parts, (part) => part.key)) {
    yield Buffer.from(`,"${key}":`);
    const [{ table: other, column, field }] = targets as [Expandable];
    if (column === undefined) {
      yield* firstOfList(records, records.tables.find((one) => one.name === other) as Table, id, field);
    } else {
      const readable = targets.flatMap((target) => (withheld.includes(target.table) ? [] : target.table));
      const shown = await Promise.all(readable.map((one) => records.show(one, [named[column] ?? ''])));
      yield Buffer.from(shown.map((one) => textOf(one)).join('') || 'null');
    }
  }
  yield Buffer.from('}');
}

/** The line items of a record; with a reference, the records that name it by that. */
async function* firstOfList(records: Records, table: Table, id: string, field?: string): ItemStream {
  const rows =
    field === undefined
      ? { where: { [table.parent?.field ?? '']: id } }
      : {
          filter: [{ column: field, operator: 'eq' as const, values: [id] }],
          sort: [{ column: 'id', isDescending: true }],
        };
  const page = await records.list(table.name, { limit: maxEntries, offset: 0, ...rows });
  const { items = '', hasMore = false, total = 0 } = page ?? {};
  yield Buffer.from('{"data":[');
  if (areLong(items)) yield* streamRecords(records, table, items);
  // A copy: what is cached must not be freed.
  else yield Buffer.from(textOf(items));
  yield Buffer.from(`],"has_more":${hasMore},"total":${total}}`);
}

const chunksOf = (shown: ShownRecords): Iterable<Uint8Array> =>
  typeof shown === 'string' ? [Buffer.from(shown)] : shown;

const textOf = (shown: ShownRecords = ''): string => Buffer.concat([...chunksOf(shown)]).toString();
