import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { valueOf } from '../events.ts';
import { texts } from '../texts.ts';
import { wholeNumber } from '../value-text.ts';
import { type ListQuery, pageSizes } from './query.ts';

interface PagerProps {
  readonly query: ListQuery;
  /** Records on this page. */
  readonly count: number;
  readonly total: number;
  readonly hasMore: boolean;
  readonly goTo: (page: number) => void;
  readonly setLimit: (limit: number) => void;
}

/** Which records are shown, of how many, and the ways to the others. */
export function Pager({ query, count, total, hasMore, goTo, setLimit }: PagerProps): VNode {
  const { page, limit } = query;
  const start = (page - 1) * limit;
  const range = count === 0 ? texts.list.noRecords : texts.list.range(start + 1, start + count, total);
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
    <span class="count" role="status">${range}</span>
    <label>
      <span class="muted">${texts.list.perPage}</span>
      <select value=${String(limit)} onChange=${(event: Event) => setLimit(Number(valueOf(event)))}>
        ${sizes.map((size) => html`<option key=${size} value=${String(size)}>${wholeNumber(size)}</option>`)}
      </select>
    </label>
    ${step(texts.list.firstPage, 1, page > 1, 'M12 4 8 8l4 4M4 4v8')}
    ${step(texts.list.previousPage, page - 1, page > 1, 'm10 4-4 4 4 4')}
    ${step(texts.list.nextPage, page + 1, hasMore, 'm6 4 4 4-4 4')}
  </nav>`;
}
