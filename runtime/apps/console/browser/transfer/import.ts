import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import type { Cell } from '../../../../data/transfer/cells.ts';
import { printCells } from '../../../../data/transfer/csv.ts';
import type { DecimalSign } from '../../../../data/transfer/notation.ts';
import type { Api } from '../api.ts';
import { confirmDialog } from '../dialog.ts';
import type { Resource } from '../model.ts';
import { texts } from '../texts.ts';
import { toast } from '../toast.ts';
import { fileNameOf, Progress, saveFile } from './file.ts';
import { Importing, type ImportState, rowsLeft, rowsToSend } from './importing.ts';
import { Preview } from './preview.ts';
import { SignChoice } from './table.ts';
import { WrongRows } from './wrong-rows.ts';

export interface ImportProps {
  readonly api: Api;
  readonly resource: Resource;
  readonly close: () => void;
}

/** The rows that are not stored, as a file: so nothing is imported twice. */
function fileOf(state: ImportState): Blob {
  const rows: (readonly Cell[])[] = [state.sheet?.columns ?? [], ...rowsLeft(state).map(({ cells }) => cells)];
  return new Blob(
    rows.map((cells) => printCells(cells, ',')),
    { type: 'text/csv;charset=utf-8' },
  );
}

/** The state in a few sentences. */
function outcomeOf({ sheet, stored, work, right, wrong, problems }: ImportState): string {
  if (!sheet || work !== 'none' || (stored === undefined && problems.length > 0)) return '';
  const { transfer } = texts;
  const mended = wrong.filter(({ errors }) => errors.length === 0).length;
  const isSent = stored !== undefined;
  return [
    isSent ? transfer.stored(stored) : transfer.rows(sheet.rows.length),
    isSent && right.length > 0 && transfer.notSent(right.length),
    wrong.length > mended && transfer.wrong(wrong.length - mended),
    mended > 0 && transfer.mended(mended),
  ]
    .filter(Boolean)
    .join(' ');
}

/** The columns that rows are mended in: those with errors first, so that they are seen. */
function columnsToMend({ matching, wrong }: ImportState): readonly number[] {
  const faulty = new Set(wrong.flatMap(({ errors, doubts }) => [...errors, ...doubts].map(({ column }) => column)));
  const imported = matching.flatMap((name, index) => (name === '' ? [] : [index]));
  return imported.toSorted((first, second) => Number(faulty.has(second)) - Number(faulty.has(first)));
}

/** The dialog that imports a file. */
export function Import({ api, resource, close }: ImportProps): VNode {
  const [, update] = useReducer<number, void>((count) => count + 1, 0);
  const importing = useMemo(() => new Importing(api, resource, () => update()), []);
  const form = useRef<HTMLFormElement>(null);
  const isOpen = useRef(true);
  const { state } = importing;
  const { sheet, work, matching, evidence, sign, wrong, stored, problems } = state;
  const isWorking = work !== 'none';
  const count = isWorking ? 0 : rowsToSend(state).length;
  // Rows that are as in the file can be chosen again.
  const mayClose = async (): Promise<boolean> =>
    !rowsLeft(importing.state).some(({ isEdited }) => isEdited) || confirmDialog(texts.transfer.closeQuestion);
  const leave = async (): Promise<void> => {
    if (await mayClose()) close();
  };
  useEffect(() => {
    const dialog = form.current?.closest('dialog');
    dialog?.addEventListener('cancel', (event) => {
      if (event.target !== dialog || !rowsLeft(importing.state).some(({ isEdited }) => isEdited)) return;
      event.preventDefault();
      void leave();
    });
    return () => {
      isOpen.current = false;
      importing.stop();
    };
  }, []);
  const choose = (event: Event): void => {
    const [file] = (event.target as HTMLInputElement).files ?? [];
    if (file) void importing.choose(file);
  };
  const run = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (count === 0) return;
    // The button that has the focus is not there while rows are sent.
    form.current?.querySelector<HTMLElement>('.stop')?.focus();
    await importing.send();
    // Escape has closed it: a message tells what was stored.
    if (!isOpen.current) return toast([outcomeOf(importing.state), ...importing.state.problems].join(' '));
    requestAnimationFrame(() => {
      const cell = form.current?.querySelector<HTMLElement>('[aria-invalid=true]');
      (cell ?? form.current?.querySelector<HTMLElement>('.stop'))?.focus();
    });
  };
  const order = useMemo(() => columnsToMend(state), [matching, work]);
  // A frame of the progress bar does not look at the rows again.
  const table = useMemo(
    () =>
      wrong.length > 0 &&
      html`<${WrongRows}
        ...${{ columns: sheet?.columns ?? [], order, entries: wrong, edit: importing.edit.bind(importing) }}
      />`,
    [wrong, order, sheet],
  );
  const canSave = !isWorking && stored !== undefined && rowsLeft(state).length > 0;
  return html`<form ref=${form} class="import" onSubmit=${run}>
    <h2 id="import-title">${texts.transfer.import}</h2>
    ${stored === undefined && html`<p>${texts.transfer.about}</p>`}
    ${
      stored === undefined &&
      html`<label class="file">
        ${texts.transfer.file}
        <input type="file" accept=".csv,text/csv" onChange=${choose} />
      </label>`
    }
    ${sheet && sheet.emptyRows > 0 && stored === undefined && html`<p>${texts.transfer.withoutValues(sheet.emptyRows)}</p>`}
    ${
      evidence?.matters &&
      stored === undefined &&
      html`<${SignChoice} ...${{ evidence, sign, choose: (to: DecimalSign) => void importing.chooseSign(to) }} />`
    }
    ${
      sheet &&
      stored === undefined &&
      html`<${Preview}
        key=${sheet}
        ...${{ sheet, resource, matching, sign, wrong, change: (to: readonly string[]) => void importing.match(to) }}
      />`
    }
    ${isWorking && html`<${Progress} done=${state.done} of=${state.of} />`}
    ${
      problems.length > 0 &&
      html`<ul class="problems error-text" role="alert">
        ${problems.map((problem) => html`<li key=${problem}><bdi>${problem}</bdi></li>`)}
      </ul>`
    }
    <p role="status">${outcomeOf(state)}</p>
    ${table}
    <div class="actions">
      ${
        canSave &&
        html`<button
          type="button"
          class="button"
          onClick=${() => saveFile(fileOf(state), `${fileNameOf(resource)}-rest.csv`)}
        >
          ${texts.transfer.saveRest}
        </button>`
      }
      <button
        type="button"
        class="button stop"
        onClick=${work === 'sending' ? () => importing.stop() : () => void leave()}
      >
        ${work === 'sending' ? texts.dialog.stop : stored === undefined ? texts.dialog.cancel : texts.dialog.close}
      </button>
      ${
        !(stored !== undefined && rowsLeft(state).length === 0 && !isWorking) &&
        html`<button class="button primary" disabled=${count === 0}>
          ${count === 0 ? texts.transfer.import : stored === undefined ? texts.transfer.importRows(count) : texts.transfer.importAgain(count)}
        </button>`
      }
    </div>
  </form>` as VNode;
}
