import { lazy } from '../lazy.ts';
import { type Field, fieldOf, type Resource } from '../model.ts';
import type { Filter } from './query.ts';

const codes = lazy(() => new Set(Intl.supportedValuesOf('currency')));

/** Whether a field holds currencies: its name says so, or its values are codes of currencies. */
const isCurrency = ({ name, values }: Field): boolean =>
  /(?:^|_)currency(?:_id|_code)?$/.test(name) || (values !== undefined && values.every((value) => codes().has(value)));

/** Numbers that have no currency beside amounts that have one. */
const quantity = /(?:^|_)(?:qty|quantity|count|units?|weight|volume|days|hours|minutes|percent(?:age)?)$/;

/** How amounts are added: all of them, those of each currency, or not at all. */
export interface Addition {
  readonly field: Field;
  /** The field with the currency of each amount; undefined if they have none, or may have several. */
  readonly by?: Field | undefined;
  /** The currency that all records have by the filter of the list. */
  readonly only?: string | undefined;
  /** Their currencies differ, or may differ, and the list is not counted by them. */
  readonly isMixed?: boolean;
}

/** How a list adds the amounts of a field: `total_currency` is the currency of `total`, as is `currency`, or the only field of this kind. */
function additionOf(resource: Resource, filters: readonly Filter[], field: Field): Addition {
  const currencies = resource.fields.filter(isCurrency);
  if (currencies.length === 0 || quantity.test(field.name)) return { field };
  const by =
    currencies.find(({ name }) => name.startsWith(`${field.name}_currency`)) ??
    currencies.find(({ name }) => name.startsWith('currency')) ??
    (currencies.length === 1 ? currencies[0] : undefined);
  const only = filters.find((filter) => filter.field === by?.name && filter.operator === 'eq')?.value;
  if (by && only !== undefined) return { field, by, only };
  return by && resource.counts?.by.includes(by.name) ? { field, by } : { field, isMixed: true };
}

/** How a list adds what the spec says that it sums. */
export const additionsOf = (resource: Resource, filters: readonly Filter[]): readonly Addition[] =>
  (resource.counts?.sum ?? [])
    .flatMap((name) => fieldOf(resource, name) ?? [])
    .map((field) => additionOf(resource, filters, field));
