import { CliError, UsageError } from '../../kernel/model/errors.ts';
import { freeFields, type Table } from '../../kernel/model/table.ts';
import { printJson } from '../../kernel/values/json-text.ts';
import type { Api } from './api.ts';
import { type CsvForm, printRow } from './csv.ts';
import { allOf, type Page, readPages } from './pages.ts';
import type { ReadRecord } from './source-row.ts';
import { type Resource, writableResources } from './resource.ts';

/** How records are written. */
interface ExportFormat extends CsvForm {
  readonly format: 'csv' | 'ndjson';
}

/** A piece of a file, the records in it, and how many there are in all if that is known. */
export interface ExportedPart {
  readonly text: string;
  readonly records: number;
  readonly total?: number;
}

/**
 * Reads the records of a resource, oldest first, and writes them as text: a row or a line of JSON each. Line items come by
 * their parents, oldest first, and by `idx` within each. Records that others write meanwhile may be in it or not.
 *
 * @param parents the ids of those whose line items are wanted; without any, the items of all parents
 * @throws CliError if the records cannot be read
 */
export async function* exportRecords(
  tables: readonly Table[],
  api: Api,
  resource: Resource,
  parents: readonly string[],
  { format, ...form }: ExportFormat,
): AsyncGenerator<ExportedPart> {
  let columns: string[] | undefined;
  const csv = (records: readonly ReadRecord[]): string => {
    const header = columns === undefined;
    columns ??= Object.keys(records[0] ?? Object.fromEntries(resource.fields.map(({ name }) => [name, null])));
    const names = columns;
    const rows = records.map((record) => names.map((name) => record[name]));
    const text = [...(header ? [names] : []), ...rows].map((row) => printRow(row, form)).join('');
    return header && form.isForSpreadsheet ? `\uFEFF${text}` : text;
  };
  const ndjson = (records: readonly ReadRecord[]): string => records.map((record) => `${printJson(record)}\n`).join('');
  for await (const { records, total } of pagesOf(tables, api, resource, parents)) {
    const text = format === 'csv' ? csv(records) : ndjson(records);
    yield { text, records: records.length, ...(total !== undefined && { total }) };
  }
  if (columns === undefined && format === 'csv') yield { text: csv([]), records: 0 };
}

type AnyPage = Pick<Page, 'records'> & { readonly total?: number };

async function* pagesOf(
  tables: readonly Table[],
  api: Api,
  { table, path }: Resource,
  parents: readonly string[],
): AsyncGenerator<AnyPage> {
  const free = freeFields(table.columns);
  if (table.kind !== 'line-item' && parents.length > 0) {
    throw new UsageError(`A ${table.title} has no parent: --parent is for line items.`);
  }
  if (table.kind === 'singleton') {
    yield { records: [(await api.get<ReadRecord>(path, Infinity, free)).body], total: 1 };
  } else if (table.kind === 'record') {
    yield* readPages(api, path, { sort: 'id', ...allOf(table) }, free);
  } else if (parents.length > 0) {
    for (const parent of parents) yield* itemsOf(api, path, free, parent);
  } else {
    yield* itemsOfAll(tables, api, table.parent?.table, path, free);
  }
}

/** The total of one parent is not that of the export. */
async function* itemsOf(
  api: Api,
  path: string,
  free: readonly string[],
  parent: string,
  after?: string,
): AsyncGenerator<AnyPage> {
  const query = { parent_id: parent, ...(after !== undefined && { after }) };
  for await (const { records } of readPages(api, path, query, free)) yield { records };
}

interface Items {
  readonly data: readonly ReadRecord[];
  readonly has_more: boolean;
}

async function* itemsOfAll(
  tables: readonly Table[],
  api: Api,
  parentTable: string | undefined,
  path: string,
  free: readonly string[],
): AsyncGenerator<AnyPage> {
  const parent = writableResources(tables).find(({ table }) => table.name === parentTable);
  if (!parent) {
    throw new CliError(
      'The parents of these line items are not kept in this service: name them with --parent ID, which can be given several times.',
    );
  }
  if (parent.table.kind === 'singleton') {
    yield* itemsOf(api, path, free, (await api.get<ReadRecord>(`${parent.path}?fields=id`)).body.id);
    return;
  }
  const segment = path.slice(path.lastIndexOf('/') + 1);
  const key = segment.replaceAll('-', '_');
  const isShown = free.length === 0 && segment in (parent.table.expand ?? {});
  for await (const page of readPages(api, parent.path, {
    sort: 'id',
    fields: 'id',
    ...allOf(parent.table),
    ...(isShown && { expand: segment }),
  })) {
    for (const record of page.records) {
      if (!isShown) {
        yield* itemsOf(api, path, free, record.id);
        continue;
      }
      const { data, has_more: hasMore } = record[key] as unknown as Items;
      yield { records: data };
      if (hasMore) yield* itemsOf(api, path, free, record.id, (data.at(-1) as ReadRecord).id);
    }
  }
}
