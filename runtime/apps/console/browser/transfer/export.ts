import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { printRow } from '../../../../data/transfer/csv.ts';
import { type Api, messageOf, type Page } from '../api.ts';
import { type ListQuery, selectionOf } from '../list/query.ts';
import type { Resource } from '../model.ts';
import { texts } from '../texts.ts';
import { fileNameOf, Progress, saveFile } from './file.ts';

/** As many records as a page can have. */
const pageSize = 1_000;

interface ExportOptions {
  /** See `CsvForm`. */
  readonly isForSpreadsheet: boolean;
  readonly onProgress: (records: number, total: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Reads all records of a list in its order, page after page, and writes them as CSV.
 *
 * @throws as `Api` does
 */
async function exportCsv(
  api: Api,
  resource: Resource,
  query: ListQuery,
  { isForSpreadsheet, onProgress, signal }: ExportOptions,
): Promise<Blob> {
  const columns = resource.fields.map(({ name }) => name);
  const write = (values: readonly unknown[]): string => printRow(values, { delimiter: ',', isForSpreadsheet });
  const parts = [isForSpreadsheet ? '\uFEFF' : '', write(columns)];
  let count = 0;
  let after: string | undefined;
  for (;;) {
    const parameters = selectionOf(resource, query);
    parameters.set('limit', String(pageSize));
    if (after !== undefined) parameters.set('after', after);
    const page = await api.get<Page>(`${resource.path}?${parameters}`, signal);
    parts.push(page.data.map((record) => write(columns.map((name) => record[name]))).join(''));
    count += page.data.length;
    onProgress(count, page.total);
    after = page.data.at(-1)?.['id'] as string | undefined;
    if (!page.has_more || after === undefined) return new Blob(parts, { type: 'text/csv;charset=utf-8' });
  }
}

export interface ExportProps {
  readonly api: Api;
  readonly resource: Resource;
  readonly query: ListQuery;
  readonly total: number;
  readonly close: () => void;
}

/** The dialog that exports a list. */
export function Export({ api, resource, query, total, close }: ExportProps): VNode {
  const [isForSpreadsheet, setForSpreadsheet] = useState(true);
  const [progress, setProgress] = useState<readonly [number, number]>();
  const [failure, setFailure] = useState<string>();
  const controller = useRef(new AbortController());
  useEffect(() => () => controller.current.abort(), []);
  const run = async (event: Event): Promise<void> => {
    event.preventDefault();
    setFailure(undefined);
    setProgress([0, total]);
    const { signal } = controller.current;
    const onProgress = (records: number, all: number): void => setProgress([records, all]);
    try {
      saveFile(
        await exportCsv(api, resource, query, { isForSpreadsheet, onProgress, signal }),
        `${fileNameOf(resource)}.csv`,
      );
      close();
    } catch (error) {
      if (signal.aborted) return;
      setProgress(undefined);
      setFailure(messageOf(error));
    }
  };
  return html`<form onSubmit=${run}>
    <h2 id="export-title">${texts.transfer.exportRecords(total)}</h2>
    <p>${texts.transfer.aboutExport}</p>
    <label class="check">
      <input type="checkbox" checked=${isForSpreadsheet} onChange=${() => setForSpreadsheet(!isForSpreadsheet)} />
      ${texts.transfer.forSpreadsheet}
    </label>
    ${progress && html`<${Progress} done=${progress[0]} of=${progress[1]} />`}
    <p class="message error" role="alert">${failure}</p>
    <div class="actions">
      <button type="button" class="button" onClick=${close}>${texts.dialog.cancel}</button>
      <button class="button primary" disabled=${progress !== undefined}>${texts.list.export}</button>
    </div>
  </form>`;
}
