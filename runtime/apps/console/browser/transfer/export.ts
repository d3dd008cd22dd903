import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { printRow } from '../../../../data/transfer/csv.ts';
import { type Api, messageOf, type Page } from '../api.ts';
import { allPages } from '../list/pages.ts';
import { type ListQuery, selectionOf } from '../list/query.ts';
import type { Resource } from '../model.ts';
import { texts } from '../texts.ts';
import { fileNameOf, Progress, saveFile } from './file.ts';

/** A request may name so many ids. */
const maxIds = 100;

interface ExportOptions {
  /** See `CsvForm`. */
  readonly isForSpreadsheet: boolean;
  readonly onProgress: (records: number, total: number) => void;
  readonly signal: AbortSignal;
}

/** Reads the records with these ids, as many at a time as a request may name, or all of a list in its order, page after page. */
async function* pagesOf({ api, resource, query, ids }: ExportProps, signal: AbortSignal): AsyncIterable<Page> {
  const isNamed: Partial<ListQuery> = { filters: [], search: '', withArchived: resource.archive !== undefined };
  const parameters = selectionOf(resource, ids ? { ...query, ...isNamed } : query);
  if (ids) {
    parameters.set('limit', String(maxIds));
    for (let start = 0; start < ids.length; start += maxIds) {
      parameters.set('id[in]', ids.slice(start, start + maxIds).join(','));
      yield api.get<Page>(`${resource.path}?${parameters}`, signal);
    }
    return;
  }
  yield* allPages(api, resource.path, parameters, signal);
}

/**
 * Reads records, page after page, and writes them as CSV.
 *
 * @throws as `Api` does
 */
async function exportCsv(props: ExportProps, { isForSpreadsheet, onProgress, signal }: ExportOptions): Promise<Blob> {
  const columns = props.resource.fields.map(({ name }) => name);
  const write = (values: readonly unknown[]): string => printRow(values, { delimiter: ',', isForSpreadsheet });
  const parts = [isForSpreadsheet ? '\uFEFF' : '', write(columns)];
  let count = 0;
  for await (const page of pagesOf(props, signal)) {
    parts.push(page.data.map((record) => write(columns.map((name) => record[name]))).join(''));
    count += page.data.length;
    onProgress(count, Math.max(count, props.total));
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}

export interface ExportProps {
  readonly api: Api;
  readonly resource: Resource;
  readonly query: ListQuery;
  readonly total: number;
  /** These records alone; undefined for all of the list. */
  readonly ids?: readonly string[] | undefined;
  readonly close: () => void;
}

/** The dialog that exports a list. */
export function Export(props: ExportProps): VNode {
  const { resource, total, close } = props;
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
      saveFile(await exportCsv(props, { isForSpreadsheet, onProgress, signal }), `${fileNameOf(resource)}.csv`);
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
