import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { type Api, messageOf, type RecordData } from '../api.ts';
import { Cell } from '../cell.ts';
import { readCounts } from '../groups.ts';
import type { Field } from '../model.ts';
import { texts } from '../texts.ts';
import { decimalsOf, textOf } from '../value-text.ts';
import { type Counting, useCounted } from './counts.ts';
import { type Addition, additionsOf } from './currency.ts';

interface SumsProps extends Counting {
  readonly api: Api;
  /** The rows above, whose decimals the sums have at least. */
  readonly rows: readonly RecordData[];
}

/** Significant digits that a sum of doubles is shown with: further ones come from rounding. */
const digits = 15;

function sumText(sum: RecordData[string] | undefined, field: Field, rows: readonly RecordData[]): string {
  if (typeof sum !== 'number') return textOf(sum, field);
  const rounded = Number(sum.toPrecision(digits));
  return textOf(rounded, field, decimalsOf([...rows.map((row) => row[field.name]), rounded]));
}

/** The sums of all records that a list finds, those of each currency apart. */
export function Sums(props: SumsProps): VNode | undefined {
  const { api, resource, query, rows } = props;
  const additions = additionsOf(resource, query.filters);
  /** The fields that are summed together, by the field of their currency. */
  const requests = Map.groupBy(
    additions.filter(({ isMixed }) => !isMixed),
    ({ by }) => by?.name ?? '',
  );
  const asked = [...requests].map(([by, all]) => ({
    ...(by && { by }),
    sum: all.map(({ field }) => field.name).join(),
  }));
  const { value, isLoading, error } = useCounted(props, JSON.stringify(asked), (selection, signal) =>
    Promise.all(
      asked.map((one) =>
        readCounts(api, resource, new URLSearchParams([...Object.entries(one), ...selection]), signal),
      ),
    ),
  );
  if (additions.length === 0) return undefined;
  const sumsOf = ({ field, by, only, isMixed }: Addition): unknown => {
    if (isMixed) return html`<dd class="muted">${texts.listCounts.mixed}</dd>`;
    const groups = value?.[[...requests.keys()].indexOf(by?.name ?? '')] ?? [];
    return groups.map((group) => {
      const amount = sumText(group[field.name], field, rows);
      const currency = by ? textOf(group[by.name], by) : only;
      if (by?.references && currency)
        return html`<dd><${Cell} value=${currency} field=${by} isInLink=${true} /> ${amount}</dd>`;
      return html`<dd><bdi>${currency === undefined ? amount : texts.listCounts.money(amount, currency)}</bdi></dd>`;
    });
  };
  return html`<dl class="sums" aria-busy=${isLoading}>
    ${additions.map(
      (addition) =>
        html`<div key=${addition.field.name}>
          <dt>${texts.listCounts.sumOf(addition.field.title)}</dt>
          ${error === undefined ? sumsOf(addition) : html`<dd class="muted">${messageOf(error)}</dd>`}
        </div>`,
    )}
  </dl>`;
}
