import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { printRow } from '../../../../data/transfer/csv.ts';
import { type Api, messageOf, type Page } from '../api.ts';
import { openModal } from '../dialog.ts';
import { type ListQuery, selectionOf } from '../list/query.ts';
import type { Resource } from '../model.ts';
import { texts } from '../texts.ts';
import { toast } from '../toast.ts';
import { type Imported, importRows, outcomeOf, type ReadFile, readFile, refused, restOf } from './import.ts';

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

/** Hands a file to whoever uses the browser. */
function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A browser holds the whole of it: `npm run import` takes any. */
const maxFileMiB = 20;

interface ExportProps {
  readonly api: Api;
  readonly resource: Resource;
  readonly query: ListQuery;
  readonly total: number;
  readonly close: () => void;
}

const fileNameOf = ({ route }: Resource): string => route.split('/').at(-1) as string;

const Progress = ({ done, of }: { done: number; of: number }): VNode =>
  html`<progress max=${Math.max(of, 1)} value=${done} aria-label="Progress"></progress>`;

function Export({ api, resource, query, total, close }: ExportProps): VNode {
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
    <h2 id="export-title">Export ${texts.counts.records(total)}</h2>
    <p>As a CSV file with all fields, in the order of the list.</p>
    <label class="check">
      <input type="checkbox" checked=${isForSpreadsheet} onChange=${() => setForSpreadsheet(!isForSpreadsheet)} />
      For a spreadsheet: texts that look like formulas begin with an apostrophe. Leave it out to import the file again.
    </label>
    ${progress && html`<${Progress} done=${progress[0]} of=${progress[1]} />`}
    <p class="message error" role="alert">${failure}</p>
    <div class="actions">
      <button type="button" class="button" onClick=${close}>Cancel</button>
      <button class="button primary" disabled=${progress !== undefined}>Export</button>
    </div>
  </form>`;
}

interface ImportProps {
  readonly api: Api;
  readonly resource: Resource;
  readonly close: () => void;
}

function Import({ api, resource, close }: ImportProps): VNode {
  const [file, setFile] = useState<ReadFile>();
  const [done, setDone] = useState<number>();
  const [ended, setEnded] = useState<Imported>();
  const controller = useRef(new AbortController());
  const isOpen = useRef(true);
  const stop = (): void => controller.current.abort();
  useEffect(
    () => () => {
      isOpen.current = false;
      stop();
    },
    [],
  );
  const choose = async (event: Event): Promise<void> => {
    const [chosen] = (event.target as HTMLInputElement).files ?? [];
    if (!chosen) return;
    const isTooLarge = chosen.size > maxFileMiB * 1_048_576;
    const problem = `The file is over ${maxFileMiB} MiB. Split it, or ask your administrator to import it: the command npm run import takes any size.`;
    setEnded(undefined);
    setFile(isTooLarge ? refused(problem) : await readFile(chosen, resource));
  };
  const isRunning = done !== undefined && !ended;
  const isReady = file !== undefined && file.rows.length > 0 && file.problems.length === 0;
  const run = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!isReady) return;
    setDone(0);
    const imported = await importRows(api, resource, file.rows, setDone, controller.current.signal);
    setEnded(imported);
    // Escape has closed it: a message tells what was stored.
    if (!isOpen.current) toast([outcomeOf(imported.count), ...imported.problems].join(' '));
  };
  const problems = ended?.problems ?? [...(file?.problems ?? []), ...(file?.warnings ?? [])];
  return html`<form onSubmit=${run}>
    <h2 id="import-title">Import</h2>
    <p>A CSV file whose first row names the fields. A record is created of each row.</p>
    ${
      done === undefined &&
      html`<label class="file">
        File
        <input type="file" accept=".csv,text/csv" onChange=${choose} />
      </label>`
    }
    ${file && problems.length === 0 && !ended && html`<p role="status">${texts.counts.rows(file.rows.length)}.</p>`}
    ${file && file.ignored.length > 0 && !ended && html`<p>Not imported: ${file.ignored.join(', ')}.</p>`}
    ${file && file.emptyRows > 0 && !ended && html`<p>Left out: ${texts.counts.rows(file.emptyRows)} without any value.</p>`}
    ${done !== undefined && file && !ended && html`<${Progress} done=${done} of=${file.rows.length} />`}
    ${ended && html`<p role="status">${outcomeOf(ended.count)}</p>`}
    ${
      problems.length > 0 &&
      html`<ul class="problems error-text" role="alert">
        ${problems.map((problem) => html`<li key=${problem}><bdi>${problem}</bdi></li>`)}
      </ul>`
    }
    <div class="actions">
      ${
        ended &&
        file &&
        ended.count < file.rows.length &&
        html`<button
          type="button"
          class="button"
          onClick=${() => saveFile(restOf(file, ended.count), `${fileNameOf(resource)}-rest.csv`)}
        >
          Save the other rows
        </button>`
      }
      <button type="button" class="button" onClick=${isRunning ? stop : close}>
        ${ended ? 'Close' : isRunning ? 'Stop' : 'Cancel'}
      </button>
      ${!ended && html`<button class="button primary" disabled=${!isReady || done !== undefined}>Import</button>`}
    </div>
  </form>`;
}

/** Exports the records of a list. */
export const openExport = (props: Omit<ExportProps, 'close'>): Promise<string> =>
  openModal('export-title', (close) => html`<${Export} ...${{ ...props, close: () => close() }} />`);

/** Imports records. Resolves once the dialog is closed. */
export const openImport = (props: Omit<ImportProps, 'close'>): Promise<string> =>
  openModal('import-title', (close) => html`<${Import} ...${{ ...props, close: () => close() }} />`);
