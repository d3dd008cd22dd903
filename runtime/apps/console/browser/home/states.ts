import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { Cell } from '../cell.ts';
import type { Reader } from '../api.ts';
import { countBy, type Group } from '../groups.ts';
import { type Field, fieldOf, type Resource } from '../model.ts';
import { hrefOf } from '../route.ts';
import { type Stage, type StageOf, stagesOf } from '../stages.ts';
import { texts } from '../texts.ts';
import { wholeNumber } from '../text.ts';
import { usePart } from './part.ts';

/** A state field by which a list is counted. */
interface Counted {
  readonly key: string;
  readonly resource: Resource;
  readonly field: Field;
  readonly stageOf: StageOf;
}

/** The state fields by which a list is counted, and which it can be filtered by. */
export const countedStates = (resource: Resource): readonly Counted[] =>
  [...stagesOf(resource)].flatMap(([name, stageOf]) => {
    const field = fieldOf(resource, name);
    const isCounted = resource.counts?.by.includes(name) && resource.filters.get(name)?.includes('eq');
    return field && isCounted ? [{ key: `${resource.route} ${name}`, resource, field, stageOf }] : [];
  });

const order: readonly (Stage | undefined)[] = ['open', 'progress', undefined, 'done', 'stopped'];

/** So many states are shown; the others are in the list. */
const maxStates = 8;

interface StatesProps {
  readonly counted: Counted;
  readonly api: Reader;
  /** Whether the name of the field distinguishes it from others of its resource. */
  readonly isNamed: boolean;
  /** Is told how many records there are. */
  readonly onTotal: (key: string, total: number) => void;
}

/** The states of a list with the numbers of their records, each of which leads to these. */
function States({ counted, api, isNamed, onTotal }: StatesProps): VNode {
  const { key, resource, field, stageOf } = counted;
  const { route, plural } = resource;
  const { value: counts, failure } = usePart((signal) =>
    countBy(api, resource, field.name, new URLSearchParams(), signal),
  );
  useEffect(() => {
    if (counts)
      onTotal(
        key,
        counts.reduce((sum, { count }) => sum + count, 0),
      );
  }, [counts]);
  const place = ({ value }: Group): number => order.indexOf(value === null ? undefined : stageOf(String(value)));
  const sorted = (counts ?? []).toSorted((one, other) => place(one) - place(other));
  const pill = ({ value, count }: Group): VNode => {
    const filter = value === null ? { [`${field.name}[null]`]: 'true' } : { [field.name]: String(value) };
    return html`<li key=${value}>
      <a href=${hrefOf(route, undefined, new URLSearchParams(filter))}>
        ${
          value === null
            ? html`<span class="muted">${texts.values.none}</span>`
            : html`<${Cell} value=${value} field=${field} stageOf=${stageOf} />`
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
export const AllStates = (props: { all: readonly Counted[] } & Pick<StatesProps, 'api' | 'onTotal'>): VNode =>
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
              api: props.api,
              onTotal: props.onTotal,
            }}
          />`,
      )}
    </ul>
  </section>`;
