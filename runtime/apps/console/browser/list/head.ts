import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Api } from '../api.ts';
import { showHelp } from '../keyboard-help.ts';
import { type Action, Menu } from '../menu.ts';
import type { Resource } from '../model.ts';
import { hrefOf } from '../route.ts';
import { texts } from '../texts.ts';
import type { ListQuery } from './query.ts';
import { openTransfer } from './transfer.ts';

interface ListHeadProps {
  readonly api: Api;
  readonly resource: Resource;
  readonly query: ListQuery;
  /** The records that the query finds. */
  readonly total: number;
  /** The route of the resource if a record can be created. */
  readonly create: string | undefined;
  readonly reload: () => void;
  readonly print: () => void;
}

/** The heading of a list, and what can be done with all of it. */
export function ListHead({ api, resource, query, total, create, reload, print }: ListHeadProps): VNode {
  const showImport = (): void =>
    void openTransfer(async ({ openImport }) => {
      await openImport({ api, resource });
      reload();
    });
  const actions: readonly Action[] = [
    { text: texts.record.print, run: print },
    {
      text: texts.list.export,
      run: () => void openTransfer(({ openExport }) => openExport({ api, resource, query, total })),
    },
    ...(create === undefined ? [] : [{ text: texts.list.import, run: showImport }]),
  ];
  const help = { text: texts.list.keyboard, run: () => void showHelp() };
  return html`<div class="list-head">
    <h1 tabindex="-1">${resource.plural}</h1>
    <${Menu} label=${texts.record.moreActions} groups=${[{ actions }, { actions: [help] }]} />
    ${
      create !== undefined &&
      html`<a class="button primary" href=${hrefOf(create, 'new')} aria-keyshortcuts="n">${texts.list.new}</a>`
    }
  </div>`;
}
