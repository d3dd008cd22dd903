import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Api } from '../api.ts';
import { loadPart } from '../loaded.ts';
import type { Resource } from '../model.ts';
import { texts } from '../texts.ts';
import type { ListQuery } from './query.ts';
import type * as dialogs from '../transfer/dialogs.ts';

interface TransferProps {
  readonly api: Api;
  readonly resource: Resource;
  readonly query: ListQuery;
  readonly total: number;
  readonly canImport: boolean;
  /** After an import. */
  readonly reload: () => void;
}

/** Loads the dialogs when one is wanted: what reads and writes CSV is as large as the rest of the console. */
export async function openTransfer(show: (loaded: typeof dialogs) => Promise<unknown>): Promise<void> {
  const loaded = await loadPart(() => import('../transfer/dialogs.ts'));
  if (loaded) await show(loaded);
}

/** The buttons that export a list and import records. */
export function Transfer({ api, resource, query, total, canImport, reload }: TransferProps): VNode {
  const button = (label: string, path: string, onClick: () => void): VNode =>
    html`<button class="icon-button" aria-label=${label} title=${label} onClick=${onClick}>
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d=${path} /></svg>
    </button>`;
  const showExport = (): void => void openTransfer(({ openExport }) => openExport({ api, resource, query, total }));
  const showImport = (): void =>
    void openTransfer(async ({ openImport }) => {
      await openImport({ api, resource });
      reload();
    });
  return html`${button(texts.list.export, 'M8 2v8m-3-3 3 3 3-3M3 13h10', showExport)}
  ${canImport && button(texts.list.import, 'M8 10V2M5 5l3-3 3 3M3 13h10', showImport)}`;
}
