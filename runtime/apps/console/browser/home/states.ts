import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { problemOf } from '../api.ts';
import { Cell } from '../cell.ts';
import { type Field, fieldOf, type Resource } from '../model.ts';
import { hrefOf } from '../route.ts';
import { type Stage, type StageOf, stagesOf } from '../stages.ts';
import { texts } from '../texts.ts';
import { wholeNumber } from '../value-text.ts';
import { type Read, usePart } from './part.ts';

/** A state field by which a list is counted. */
export interface Counted {
  readonly key: string;
  readonly resource: Resource;
  readonly field: Field;
  readonly stageOf: StageOf;
}

/** The records in a state; null for those in none. */
interface StateCount {
  readonly state: string | null;
  readonly count: number;
}

/** The state fields by which a list is counted, and which it can be filtered by. */
export function countedStates(resource: Resource): readonly Counted[] {
  const stages = stagesOf(resource);
  return (resource.counts?.by ?? []).flatMap((name) => {
    const field = fieldOf(resource, name);
    const stageOf = stages.get(name) ?? (field?.colors ? (): undefined => undefined : undefined);
    if (!field || !stageOf || resource.filters.get(name)?.includes('eq') !== true) return [];
    return { key: `${resource.route} ${name}`, resource, field, stageOf };
  });
}

/** Counts the records of a list in each state. @param filters as the list of the API takes them */
export async function countStates(
  read: Read,
  { resource, field }: Pick<Counted, 'resource' | 'field'>,
  filters: URLSearchParams,
  signal: AbortSignal,
): Promise<readonly StateCount[]> {
  const query = new URLSearchParams(filters);
  query.set('by', field.name);
  const { data } = await read<{ readonly data: readonly Readonly<Record<string, string | number | null>>[] }>(
    `${resource.path}/count?${query}`,
    signal,
  );
  return data.map((group) => ({ state: group[field.name] as string | null, count: group['count'] as number }));
}

const order: readonly (Stage | undefined)[] = ['open', 'progress', undefined, 'done', 'stopped'];

/** So many states are shown; the others are in the list. */
const maxStates = 8;

/** The counts of all states; null if there are too many states, which are no failure that another attempt mends. */
const readAll = (read: Read, counted: Counted, signal: AbortSignal): Promise<readonly StateCount[] | null> =>
  countStates(read, counted, new URLSearchParams(), signal).catch((error: unknown) => {
    if (problemOf(error)?.code === 'too_many_groups') return null;
    throw error;
  });

interface StatesProps {
  readonly counted: Counted;
  readonly read: Read;
  /** Whether the name of the field distinguishes it from others of its resource. */
  readonly isNamed: boolean;
  /** Is told how many records there are. */
  readonly onTotal: (key: string, total: number) => void;
}

/** The states of a list with the numbers of their records, each of which leads to these. */
function States({ counted, read, isNamed, onTotal }: StatesProps): VNode {
  const { key, resource, field, stageOf } = counted;
  const { route, plural } = resource;
  const { value: counts, failure } = usePart((signal) => readAll(read, counted, signal));
  useEffect(() => {
    if (counts)
      onTotal(
        key,
        counts.reduce((sum, { count }) => sum + count, 0),
      );
  }, [counts]);
  const place = ({ state }: StateCount): number => order.indexOf(state === null ? undefined : stageOf(state));
  const sorted = (counts ?? []).toSorted((one, other) => place(one) - place(other));
  const pill = ({ state, count }: StateCount): VNode => {
    const filter = state === null ? { [`${field.name}[null]`]: 'true' } : { [field.name]: state };
    return html`<li key=${state}>
      <a href=${hrefOf(route, undefined, new URLSearchParams(filter))}>
        ${
          state === null
            ? html`<span class="muted">${texts.values.none}</span>`
            : html`<${Cell} value=${state} field=${field} stageOf=${stageOf} />`
        }${' '}
        <span class="count">${wholeNumber(count)}</span>
      </a>
    </li>`;
  };
  const rest = sorted.length - maxStates;
  return html`<li class="home-row">
    <span class="home-name">
      <a href=${hrefOf(route)}>${plural}</a> ${isNamed && html`<span class="muted">${field.title}</span>`}
    </span>
    ${failure}
    <ul class="home-states" aria-label=${plural} aria-busy=${counts === undefined && !failure}>
      ${sorted.slice(0, maxStates).map(pill)}
      ${rest > 0 && html`<li><a href=${hrefOf(route)}>${texts.home.moreStates(rest)}</a></li>`}
      ${counts === null && html`<li class="muted">${texts.home.tooManyStates}</li>`}
      ${counts?.length === 0 && html`<li class="muted">${texts.list.noRecords}</li>`}
    </ul>
  </li>`;
}

/** The states of all lists that are counted by them. */
export const AllStates = (props: { all: readonly Counted[] } & Pick<StatesProps, 'read' | 'onTotal'>): VNode =>
  html`<section aria-label=${texts.home.states}>
    <h2>${texts.home.states}</h2>
    <ul class="home-rows">
      ${props.all.map(
        (counted) =>
          html`<${States}
            key=${counted.key}
            ...${{
              counted,
              isNamed: props.all.filter(({ resource }) => resource === counted.resource).length > 1,
              read: props.read,
              onTotal: props.onTotal,
            }}
          />`,
      )}
    </ul>
  </section>`;
