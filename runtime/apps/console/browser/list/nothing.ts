import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { messageOf, statusOf } from '../api.ts';
import { hrefOf } from '../route.ts';
import { texts } from '../texts.ts';
import { changed, type ListQuery, readQuery } from './query.ts';

interface NothingProps {
  readonly query: ListQuery;
  readonly show: (query: ListQuery) => void;
  /** The route of the resource if a record can be created. */
  readonly create: string | undefined;
}

/** Why a page has no rows, and the way to some. */
export function Nothing({ query, show, create }: NothingProps): VNode {
  const empty = (text: string, action: unknown): VNode =>
    html`<div class="empty">
      <p>${text}</p>
      ${action}
    </div>`;
  const button = (label: string, next: ListQuery): VNode =>
    html`<button class="button" onClick=${() => show(next)}>${label}</button>`;
  if (query.page > 1) return empty(texts.list.pageIsEmpty, button(texts.list.toFirstPage, changed(query, {})));
  if (query.filters.length > 0 || query.search !== '')
    return empty(texts.list.noMatch, button(texts.list.showAll, readQuery()));
  return empty(
    texts.list.noneYet,
    create !== undefined && html`<a class="button primary" href=${hrefOf(create, 'new')}>${texts.list.createFirst}</a>`,
  );
}

interface FailureProps {
  readonly error: unknown;
  readonly retry: () => void;
  readonly clear: () => void;
}

/** Why there is no page, and what can be done. */
export function Failure({ error, retry, clear }: FailureProps): VNode {
  // A request that was refused would be refused again.
  const isFinal = (statusOf(error) ?? 500) < 429;
  return html`<div class="banner error" role="alert">
    <span>${messageOf(error)}</span>
    <button class="button" onClick=${isFinal ? clear : retry}>
      ${isFinal ? texts.list.showAll : texts.dialog.tryAgain}
    </button>
  </div>`;
}
