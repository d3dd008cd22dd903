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

/** The name of the field that the sums of a field are grouped by; empty if there is one sum. */
const groupedBy = ({ by, only }: Addition): string => (only === undefined ? (by?.name ?? '') : '');

/** The sums of all records that a list finds, those of each currency apart. */
export function Sums(props: SumsProps): VNode | undefined {
  const { api, resource, query, rows } = props;
  const additions = additionsOf(resource, query.filters);
  /** The fields that are summed together, by the field of their currency. */
  const requests = Map.groupBy(
    additions.filter(({ isMixed }) => !isMixed),
    groupedBy,
  );
  const asked = [...requests].map(([by, all]) => ({
    ...(by && { by }),
    sum: all.map(({ field }) => field.name).join(),
  }));
  const isAsked = asked.length > 0;
  const loading = useCounted(props, isAsked ? JSON.stringify(asked) : '', async (selection, signal) => {
    const read = asked.map((one) =>
      readCounts(api, resource, new URLSearchParams([...Object.entries(one), ...selection]), signal),
    );
    const groups = await Promise.all(read);
    const groupsOf = new Map([...requests.keys()].map((by, index) => [by, groups[index] ?? []]));
    return additions.map((addition) => ({ addition, groups: groupsOf.get(groupedBy(addition)) ?? [] }));
  });
  const { isLoading, error, value } = loading;
  if (additions.length === 0) return undefined;
  // Sums that are there until others have come keep the currencies that they have been asked with.
  const sums = (isAsked && value) || additions.map((addition) => ({ addition, groups: [] }));
  const sumsOf = ({ addition: { field, by, only, isMixed }, groups }: (typeof sums)[number]): unknown => {
    if (isMixed) return html`<dd class="muted">${texts.listCounts.mixed}</dd>`;
    return groups.map((group) => {
      const amount = sumText(group[field.name], field, rows);
      const currency = only ?? (by && textOf(group[by.name], by));
      if (by?.references && currency)
        return html`<dd><${Cell} value=${currency} field=${by} isInLink=${true} /> ${amount}</dd>`;
      return html`<dd><bdi>${currency === undefined ? amount : texts.listCounts.money(amount, currency)}</bdi></dd>`;
    });
  };
  return html`<dl class="sums" aria-busy=${isAsked && isLoading}>
    ${sums.map(
      (sum) =>
        html`<div key=${sum.addition.field.name}>
          <dt>${texts.listCounts.sumOf(sum.addition.field.title)}</dt>
          ${error === undefined || !isAsked ? sumsOf(sum) : html`<dd class="muted">${messageOf(error)}</dd>`}
        </div>`,
    )}
  </dl>`;
}
