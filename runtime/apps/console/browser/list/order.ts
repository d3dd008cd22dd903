import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Resource } from '../model.ts';
import { filteredField } from './operators.ts';
import type { Sort } from './query.ts';

interface OrderProps {
  readonly resource: Resource;
  readonly sort: readonly Sort[];
  readonly setSort: (sort: readonly Sort[]) => void;
}

const nameOf = ({ field, descending }: Sort): string => (descending ? `-${field}` : field);

/** Chooses the order where there is no table whose headers do. */
export function Order({ resource, sort, setSort }: OrderProps): VNode {
  const choices = resource.sort.flatMap((field) => [
    { field, descending: false },
    { field, descending: true },
  ]);
  const choose = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    setSort(choices.filter((choice) => nameOf(choice) === value));
  };
  return html`<select
    class="order-choice"
    aria-label="Order"
    value=${sort[0] ? nameOf(sort[0]) : ''}
    onChange=${choose}
  >
    <option value="">Newest first</option>
    ${choices.map(
      (choice) =>
        html`<option key=${nameOf(choice)} value=${nameOf(choice)}>
          ${filteredField(resource, choice.field).title} ${choice.descending ? '↓' : '↑'}
        </option>`,
    )}
  </select>`;
}
