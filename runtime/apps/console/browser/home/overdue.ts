import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Page, Reader, RecordData } from '../api.ts';
import { countBy, type Group } from '../groups.ts';
import { joinValues } from '../list/operators.ts';
import { readQuery, selectionOf } from '../list/query.ts';
import { namingFields } from '../name.ts';
import { RecordName } from '../reference.ts';
import { hrefOf } from '../route.ts';
import { texts } from '../texts.ts';
import { wholeNumber } from '../text.ts';
import { textOf } from '../value-text.ts';
import type { DueField } from './due-fields.ts';
import { usePart } from './part.ts';

/** So many records are shown, those that are due for the longest time. */
const maxShown = 3;

/** Records that are overdue. */
interface Overdue {
  readonly total: number;
  readonly records: readonly RecordData[];
  /** The list of all of them. */
  readonly href: string;
}

/** The open states of a field; of a text, those of the records whose date has passed, and null if these are in too many states. */
async function openStates(api: Reader, field: DueField, signal: AbortSignal): Promise<readonly string[] | null> {
  const { resource, due, state, stageOf } = field;
  const countStates = (): Promise<readonly Group[] | null> => {
    const query = readQuery(new URLSearchParams({ [`${due.name}[lt]`]: 'today' }));
    return countBy(api, resource, state.name, selectionOf(resource, query), signal);
  };
  const states = state.values ?? (await countStates())?.flatMap(({ value }) => (value === null ? [] : String(value)));
  return states?.filter((value) => ['open', 'progress'].includes(String(stageOf(value)))) ?? null;
}

/** Reads them; null if the records are in too many states. */
async function readOverdue(api: Reader, field: DueField, signal: AbortSignal): Promise<Overdue | null> {
  const { resource, due, state } = field;
  const states = await openStates(api, field, signal);
  if (states === null) return null;
  if (states.length === 0) return { total: 0, records: [], href: hrefOf(resource.route) };
  const parameters = new URLSearchParams({ [`${state.name}[in]`]: joinValues(states), [`${due.name}[lt]`]: 'today' });
  if (resource.sort.includes(due.name)) parameters.set('sort', due.name);
  const query = selectionOf(resource, readQuery(parameters));
  const fields = new Set(['id', due.name, ...namingFields(resource).map(({ name }) => name)]);
  query.set('fields', [...fields].join(','));
  query.set('limit', String(maxShown));
  const { total, data } = await api.get<Page>(`${resource.path}?${query}`, signal);
  return { total, records: data, href: hrefOf(resource.route, undefined, parameters) };
}

/** The records whose date has passed: their number, which leads to their list, and the first of them. */
function OverdueRow({ field, api }: { field: DueField; api: Reader }): VNode {
  const { resource, due } = field;
  const { value, failure } = usePart((signal) => readOverdue(api, field, signal));
  const { total = 0, records = [], href } = value ?? {};
  const name = html`${resource.plural} <span class="muted">${due.title}</span>`;
  const record = (data: RecordData): VNode =>
    html`<li key=${data['id']}>
      <a href=${hrefOf(resource.route, String(data['id']))}><${RecordName} ...${{ resource, record: data }} /></a>${' '}
      <span class="muted">${textOf(data[due.name], due)}</span>
    </li>`;
  return html`<li class="home-row">
    <span class="home-name">
      ${total > 0 ? html`<a href=${href}>${name}</a>` : html`<span>${name}</span>`}
      <span class="overdue">${total > 0 && html`<a href=${href}>${wholeNumber(total)}</a>`}</span>
    </span>
    ${failure}
    <ul
      class="home-records"
      aria-label=${`${resource.plural}: ${due.title}`}
      aria-busy=${value === undefined && !failure}
    >
      ${records.map(record)} ${value === null && html`<li class="muted">${texts.home.tooManyStates}</li>`}
      ${value?.total === 0 && html`<li class="muted">${texts.home.noneOverdue}</li>`}
    </ul>
  </li>`;
}

/** All that is overdue. */
export const AllOverdue = ({ all, api }: { all: readonly DueField[]; api: Reader }): VNode =>
  html`<section aria-label=${texts.home.overdue}>
    <h2>${texts.home.overdue}</h2>
    <ul class="home-rows">
      ${all.map((field) => html`<${OverdueRow} key=${field.key} field=${field} api=${api} />`)}
    </ul>
  </section>`;
