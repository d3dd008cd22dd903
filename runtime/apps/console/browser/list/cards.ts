import { html } from 'htm/preact';
import type { RefObject, VNode } from 'preact';
import type { RecordData } from '../api.ts';
import { Cell, stagesOf } from '../cell.ts';
import type { Field, Resource } from '../model.ts';
import { hrefOf } from '../route.ts';
import { heights, useVisibleRows } from './rows.ts';

interface CardsProps {
  readonly resource: Resource;
  readonly rows: readonly RecordData[];
  readonly start: number;
  readonly total: number;
  readonly box: RefObject<HTMLElement | null>;
  readonly isBusy: boolean;
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

/** The rows of a page where a table is too wide: the first value of each, and those that follow. */
export function Cards({ resource, rows, start, total, box, isBusy }: CardsProps): VNode {
  const { first, end } = useVisibleRows(box, rows.length, heights.card);
  const stages = stagesOf(resource.transitions);
  const value = (record: RecordData, field: Field): VNode =>
    html`<${Cell} value=${record[field.name]} field=${field} stages=${stages.get(field.name)} />`;
  const card = (record: RecordData, index: number): VNode => {
    const id = String(record['id']);
    const [title, ...others] = resource.columns.filter(({ name }) => !isEmpty(record[name]));
    return html`<li key=${id} aria-posinset=${start + index} aria-setsize=${total}>
      <a href=${hrefOf(resource.route, id)} data-index=${index}>
        <strong>${title ? value(record, title) : html`<span class="mono">${id}</span>`}</strong>
        <span class="muted">
          ${others.slice(0, 3).map((field) => html`<span title=${field.title}>${value(record, field)}</span>`)}
        </span>
      </a>
    </li>`;
  };
  // Instead of the cards that are not drawn.
  const padding = {
    paddingTop: `${first * heights.card}px`,
    paddingBottom: `${Math.max(0, rows.length - end) * heights.card}px`,
  };
  return html`<ul class="card-list" aria-label=${resource.title} aria-busy=${isBusy} style=${padding}>
    ${rows.slice(first, end).map((record, index) => card(record, first + index))}
  </ul>`;
}
