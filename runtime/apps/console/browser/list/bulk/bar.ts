import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { allows, type Api, type Key } from '../../api.ts';
import { archivedAt, type Resource, type Transition } from '../../model.ts';
import { ReferencesContext } from '../../reference.ts';
import { hrefOf } from '../../route.ts';
import { texts } from '../../texts.ts';
import type { ListQuery } from '../query.ts';
import type { Selection } from '../selection.ts';
import { openTransfer } from '../transfer.ts';
import { openDelete, openMove, openSet } from './dialogs.ts';
import type { Many } from './running.ts';
import { settableFields } from './set-form.ts';

export interface BarProps {
  readonly api: Api;
  readonly apiKey: Key;
  readonly resource: Resource;
  readonly query: ListQuery;
  readonly selection: Selection;
  /** The number of records that the filter finds. */
  readonly total: number;
  readonly reload: () => void;
}

/** Whether a move may be possible for one of the chosen records, as far as their rows tell. */
function isPossible({ records, isAll }: Selection, { field, from }: Transition): boolean {
  if (isAll) return true;
  return [...records.values()].some((record) => {
    const state = record[field];
    return state === undefined || (typeof state === 'string' && from.includes(state));
  });
}

/** The moves between archived and not that are possible for some of the chosen records. */
function archiveMoves({ archive }: Resource, { records, isAll }: Selection, { withArchived }: ListQuery) {
  if (!archive) return [];
  const areArchived = new Set([...records.values()].map((record) => typeof record[archivedAt] === 'string'));
  const moves = [];
  if (isAll || areArchived.has(false)) moves.push([archive.archive, texts.record.archive] as const);
  if (isAll ? withArchived : areArchived.has(true)) moves.push([archive.unarchive, texts.record.unarchive] as const);
  return moves;
}

/** The bar that offers all that the key may do with the chosen records. */
export function Bar({ api, apiKey, resource, query, selection, total, reload }: BarProps): VNode {
  const references = useContext(ReferencesContext);
  const { route, can } = resource;
  const { count, isAll, records } = selection;
  const mayWrite = allows(apiKey, route, 'write');
  const moves = allows(apiKey, route, 'transition')
    ? [
        ...resource.transitions.flatMap((move) => (isPossible(selection, move) ? [[move, move.title] as const] : [])),
        ...archiveMoves(resource, selection, query),
      ]
    : [];
  const many: Many = {
    api,
    apiKey,
    resource,
    query,
    selection,
    references,
    onEnded: (failures) => {
      if (failures) selection.keep(new Set(failures.map(({ id }) => id)));
      reload();
    },
  };
  const button = (label: string, press: () => unknown): VNode =>
    html`<button key=${label} class="button" onClick=${press}>${label}</button>`;
  const ids = isAll ? undefined : [...records.keys()];
  const [only] = ids ?? [];
  return html`<section class="selection-bar" aria-label=${texts.bulk.bar}>
    <span role="status">${texts.bulk.selected(count)}</span>
    ${
      !isAll &&
      total > count &&
      html`<button class="button quiet" onClick=${selection.chooseAll}>${texts.bulk.selectAll(total)}</button>`
    }
    ${mayWrite && can.update && settableFields(resource).length > 0 && button(texts.bulk.setField, () => openSet(many))}
    ${moves.map(([move, verb]) => button(verb, () => openMove(many, move, verb)))}
    ${
      count === 1 &&
      only !== undefined &&
      can.create &&
      mayWrite &&
      html`<a class="button" href=${hrefOf(route, 'new', new URLSearchParams({ copy: only }))}>
        ${texts.record.duplicate}
      </a>`
    }
    ${button(texts.list.export, () => openTransfer(({ openExport }) => openExport({ api, resource, query, total: count, ids })))}
    ${mayWrite && can.delete && button(texts.record.delete, () => openDelete(many))}
    <button
      class="icon-button"
      aria-label=${texts.bulk.none}
      title=${`${texts.bulk.none} (Esc)`}
      onClick=${() => selection.keep()}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d="m4 4 8 8m0-8-8 8" /></svg>
    </button>
  </section>`;
}
