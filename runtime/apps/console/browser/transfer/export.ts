import { stringify } from 'csv-stringify/browser/esm/sync';
import { csvOutput } from '../../../../data/transfer/cells.ts';
import type { Api, Page, RecordData } from '../api.ts';
import { type ListQuery, selectionOf } from '../list/query.ts';
import type { Resource } from '../model.ts';

/** As many records as a page can have. */
const pageSize = 1_000;

interface ExportOptions {
  /** See `csvOutput`. */
  readonly isForSpreadsheet: boolean;
  readonly onProgress: (records: number, total: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Reads all records of a list in its order, page after page, and writes them as CSV.
 *
 * @throws Refusal, NoAnswer, AbortError as `Api` does
 */
export async function exportCsv(
  api: Api,
  resource: Resource,
  query: ListQuery,
  { isForSpreadsheet, onProgress, signal }: ExportOptions,
): Promise<Blob> {
  const columns = resource.fields.map(({ name }) => name);
  const write = (records: readonly RecordData[], header: boolean): string =>
    stringify([...records], { ...csvOutput(columns, ',', isForSpreadsheet), header });
  const parts: string[] = [(isForSpreadsheet ? '\uFEFF' : '') + write([], true)];
  let count = 0;
  let after: string | undefined;
  for (;;) {
    const parameters = selectionOf(query);
    parameters.set('limit', String(pageSize));
    if (after !== undefined) parameters.set('after', after);
    const page = await api.get<Page>(resource.path, parameters, signal);
    parts.push(write(page.data, false));
    count += page.data.length;
    onProgress(count, page.total);
    after = page.data.at(-1)?.['id'] as string | undefined;
    if (!page.has_more || after === undefined) return new Blob(parts, { type: 'text/csv;charset=utf-8' });
  }
}

/** Hands a file to whoever uses the browser. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
