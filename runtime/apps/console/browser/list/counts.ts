import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Api, Value } from '../api.ts';
import { State } from '../cell.ts';
import { countBy, type Group } from '../groups.ts';
import { type Loading, useLoading } from '../loading.ts';
import { type Field, fieldOf, type Resource } from '../model.ts';
import { stagesOf } from '../stages.ts';
import { isBlank, shorten, wholeNumber } from '../text.ts';
import { texts } from '../texts.ts';
import { textOf } from '../value-text.ts';
import { type Filter, type ListQuery, selectionOf, withFilter } from './query.ts';

/** Which records are counted. */
export interface Counting {
  readonly resource: Resource;
  readonly query: ListQuery;
  /** Another one loads the counts again. */
  readonly turn: number;
  /** Whether the list has come, which goes first. */
  readonly isReady: boolean;
}

/** Loads what is counted of a query, once the list has come. @param asked what is counted; nothing is loaded if it is empty */
export function useCounted<T>(
  { resource, query, turn, isReady }: Counting,
  asked: string,
  load: (selection: URLSearchParams, signal: AbortSignal) => Promise<T>,
): Loading<T> {
  const selection = selectionOf(resource, { ...query, sort: [] });
  const isWanted = isReady && asked !== '';
  return useLoading(isWanted ? (signal) => load(selection, signal) : undefined, [asked, `${selection}`, turn, isReady]);
}

/** The field whose counts a list shows: a state, or the first one that it is counted by and filtered by. */
function countedField(resource: Resource): Field | undefined {
  const fields = (resource.counts?.by ?? [])
    .flatMap((name) => fieldOf(resource, name) ?? [])
    .filter(({ name, references }) => resource.filters.has(name) && !references);
  const stages = stagesOf(resource);
  return resource.kind === 'record' ? (fields.find(({ name }) => stages.has(name)) ?? fields[0]) : undefined;
}

/** The filter that a group stands for. */
const filterOf = (field: string, value: Value): Filter =>
  value === null ? { field, operator: 'null', value: 'true' } : { field, operator: 'eq', value: String(value) };

const isSame = (a: Filter, b: Filter): boolean =>
  a.field === b.field && a.operator === b.operator && a.value === b.value;

/** Whether a filter is one of those that groups stand for: of several values, one is chosen. */
const isOfGroup = (field: string, { field: name, operator, value }: Filter): boolean =>
  name === field && (operator === 'eq' || (operator === 'null' && value === 'true'));

interface CountsProps extends Counting {
  readonly api: Api;
  readonly setFilters: (filters: readonly Filter[]) => void;
}

/** The numbers of records in each state, with the other filters and the search of the list. A click filters by it; another one shows all again. */
export function Counts(props: CountsProps): VNode | null {
  const { api, resource, query, setFilters } = props;
  const field = countedField(resource);
  const name = field?.name ?? '';
  const others = query.filters.filter((filter) => !isOfGroup(name, filter));
  const wanted = { ...props, query: { ...query, filters: others } };
  const {
    value: groups,
    isLoading,
    error,
  } = useCounted(wanted, name, (selection, signal) => countBy(api, resource, name, selection, signal));
  // A list without counts is a list nevertheless.
  if (!field || groups === null || error !== undefined) return null;
  const stageOf = stagesOf(resource).get(name);
  const chosen = query.filters.find((filter) => isOfGroup(name, filter));
  // One that finds nothing is there to be taken back.
  const isMissing = groups && chosen && groups.every(({ value }) => !isSame(filterOf(name, value), chosen));
  const all = isMissing
    ? [...groups, { value: chosen.operator === 'null' ? null : chosen.value, count: 0 }]
    : (groups ?? []);
  const chip = ({ value, count }: Group): VNode => {
    const filter = filterOf(name, value);
    const isChosen = chosen !== undefined && isSame(filter, chosen);
    const text = textOf(value, field);
    // "Yes" alone says nothing.
    const named = typeof value === 'boolean' ? `${field.title}: ${text}` : text;
    const shown = isBlank(text) ? texts.values.none : shorten(named);
    return html`<li key=${String(value)}>
      <button
        class="count-chip"
        aria-pressed=${isChosen}
        onClick=${() => setFilters(isChosen ? others : withFilter(others, filter))}
      >
        ${
          stageOf && value !== null
            ? html`<${State} ...${{ text, field, stageOf }} />`
            : html`<bdi class=${value === null ? 'muted' : undefined}>${shown}</bdi>`
        }
        <span class="number">${wholeNumber(count)}</span>
      </button>
    </li>`;
  };
  return html`<ul class="counts no-print" aria-label=${texts.listCounts.by(field.title)} aria-busy=${isLoading}>
    ${all.map(chip)}
  </ul>`;
}
