import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { valueOf } from '../events.ts';
import { texts } from '../texts.ts';
import { wholeNumber } from '../text.ts';
import type { Loaded } from './load.ts';
import { type ListQuery, pageSizes } from './query.ts';

interface PagerProps {
  /** The page that is wanted. */
  readonly query: ListQuery;
  /** The page that is shown; undefined until one has come. */
  readonly loaded: Loaded | undefined;
  readonly total: number;
  readonly hasNext: boolean;
  readonly goTo: (page: number) => void;
  readonly change: (part: Partial<ListQuery>) => void;
}

/** Which records are shown, of how many. @param start the place of the first one, from 1 */
export const rangeText = (start: number, count: number, total: number): string =>
  count === 0 ? texts.list.noRecords : texts.list.range(start, start + count - 1, total);

/** Which records are shown, of how many, and the ways to the others. */
export function Pager({ query, loaded, total, hasNext, goTo, change }: PagerProps): VNode {
  // Nothing moves when it comes.
  if (!loaded) return html`<div class="pager-place"></div>`;
  const { page, limit } = query;
  const start = (loaded.query.page - 1) * loaded.query.limit + 1;
  const sizes = pageSizes.includes(limit) ? pageSizes : [...pageSizes, limit].toSorted((a, b) => a - b);
  const step = (label: string, target: number, isPossible: boolean, path: string): VNode =>
    html`<button
      class="icon-button"
      aria-label=${label}
      title=${label}
      disabled=${!isPossible}
      onClick=${() => goTo(target)}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d=${path} /></svg>
    </button>`;
  return html`<nav class="pager" aria-label=${texts.list.pages}>
    <span class="count" role="status">${rangeText(start, loaded.page.data.length, total)}</span>
    <label>
      <span class="muted">${texts.list.perPage}</span>
      <select value=${String(limit)} onChange=${(event: Event) => change({ limit: Number(valueOf(event)) })}>
        ${sizes.map((size) => html`<option key=${size} value=${String(size)}>${wholeNumber(size)}</option>`)}
      </select>
    </label>
    ${step(texts.list.firstPage, 1, page > 1, 'M12 4 8 8l4 4M4 4v8')}
    ${step(texts.list.previousPage, page - 1, page > 1, 'm10 4-4 4 4 4')}
    ${step(texts.list.nextPage, page + 1, hasNext, 'm6 4 4 4-4 4')}
  </nav>`;
}
