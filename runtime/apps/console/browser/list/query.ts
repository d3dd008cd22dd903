import { archivedAt, type Field, fieldOf, type Operator, type Resource, updatedAt } from '../model.ts';
import { requestedFields } from './columns.ts';
import { absoluteFilters } from './relative-dates.ts';

/** A condition on a field, with its value as the API takes it: of `in`, values separated by commas. Dates may be relative to today. */
export interface Filter {
  readonly field: string;
  readonly operator: Operator;
  readonly value: string;
}

export interface Sort {
  readonly field: string;
  readonly descending: boolean;
}

/** Which records a list shows. */
export interface ListQuery {
  readonly filters: readonly Filter[];
  readonly sort: readonly Sort[];
  /** Words to search for; empty for none. */
  readonly search: string;
  /** Archived records, too. */
  readonly withArchived: boolean;
  /** The names of the fields that are shown; undefined for those that the user has chosen for the resource. */
  readonly columns: readonly string[] | undefined;
  readonly limit: number;
  /** From 1 on. */
  readonly page: number;
  /** The record that the page starts after; without it the page is found by its number. */
  readonly after: string | undefined;
}

/** How many records a page may have. */
export const pageSizes: readonly number[] = [20, 50, 100, 1_000];

const defaultLimit = 50;

/** The parameters that are no filters. */
const pageParameters = new Set(['limit', 'page', 'after', 'sort', 'q', 'archived', 'fields']);

const positive = (text: string | null, absent: number): number =>
  text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : absent;

/** The name of a filter's parameter, like `status` or `status[ne]`. */
const parameterOf = ({ field, operator }: Filter): string => (operator === 'eq' ? field : `${field}[${operator}]`);

function readFilter([name, value]: [string, string]): readonly Filter[] {
  const [, field, operator = 'eq'] = /^(\w+)(?:\[(\w+)\])?$/.exec(name) ?? [];
  return field === undefined || pageParameters.has(field) ? [] : [{ field, operator: operator as Operator, value }];
}

/** Reads what the URL of a list says; the server refuses all that is not possible. */
export function readQuery(parameters = new URLSearchParams()): ListQuery {
  const sort = (parameters.get('sort') ?? '').split(',').filter((field) => field !== '');
  return {
    filters: [...parameters].flatMap(readFilter),
    sort: sort.map((field) => ({ field: field.replace(/^-/, ''), descending: field.startsWith('-') })),
    search: parameters.get('q') ?? '',
    withArchived: parameters.get('archived') === 'any',
    columns: parameters.get('fields')?.split(','),
    limit: positive(parameters.get('limit'), defaultLimit),
    page: positive(parameters.get('page'), 1),
    after: parameters.get('after') ?? undefined,
  };
}

/** The parameters that choose and order records. @param filters in the form that the reader of these takes */
function parametersOf({ sort, search, withArchived }: ListQuery, filters: readonly Filter[]): URLSearchParams {
  const parameters = new URLSearchParams();
  if (search) parameters.set('q', search);
  if (withArchived || filters.some(({ field }) => field === archivedAt)) parameters.set('archived', 'any');
  for (const filter of filters) parameters.append(parameterOf(filter), filter.value);
  if (sort.length > 0)
    parameters.set('sort', sort.map(({ field, descending }) => (descending ? `-${field}` : field)).join(','));
  return parameters;
}

/** Whether of two bounds of the same kind the first one leaves fewer records. */
function isTighter(one: Filter, other: Filter): boolean {
  const difference = Date.parse(one.value) - Date.parse(other.value);
  return parameterOf(one) === parameterOf(other) && (one.operator === 'lt' ? difference < 0 : difference > 0);
}

/** The filters as the API takes them, without relative dates: these can become a bound that another filter has, too. */
function requestedFilters(resource: Resource, filters: readonly Filter[]): readonly Filter[] {
  const absolute = filters.flatMap((filter) => absoluteFilters(filter, fieldOf(resource, filter.field)));
  if (absolute.every((filter) => filters.includes(filter))) return filters;
  const tight = absolute.filter((filter) => !absolute.some((other) => isTighter(other, filter)));
  return [...new Map(tight.map((filter) => [`${parameterOf(filter)} ${filter.value}`, filter])).values()];
}

/** Which records, in which order: the parameters of the API that all pages share. */
export const selectionOf = (resource: Resource, query: ListQuery): URLSearchParams =>
  parametersOf(query, requestedFilters(resource, query.filters));

/** The parameters of the URL of a list: those of the API, with relative dates, and the number of the page. */
export function toParameters(query: ListQuery): URLSearchParams {
  const parameters = parametersOf(query, query.filters);
  if (query.columns) parameters.set('fields', query.columns.join(','));
  if (query.limit !== defaultLimit) parameters.set('limit', String(query.limit));
  if (query.page > 1) parameters.set('page', String(query.page));
  if (query.after !== undefined) parameters.set('after', query.after);
  return parameters;
}

/** A view keeps these parameters of the URL of a list: all but the page and its size. */
export const viewParameters = (query: ListQuery): string =>
  toParameters({ ...query, limit: defaultLimit, page: 1, after: undefined }).toString();

/** The request for a page, with the fields that are shown alone: others may be megabytes long. */
export function requestOf(resource: Resource, query: ListQuery, columns: readonly Field[]): URLSearchParams {
  const parameters = selectionOf(resource, query);
  const archived = query.withArchived ? [archivedAt] : [];
  // The guard of a row: it is changed as it was seen, or not at all.
  const stamp = fieldOf(resource, updatedAt) ? [updatedAt] : [];
  const shown = requestedFields(resource, columns).map(({ name }) => name);
  const fields = new Set(['id', ...shown, ...archived, ...stamp]);
  parameters.set('fields', [...fields].join(','));
  parameters.set('limit', String(query.limit));
  if (query.after !== undefined) parameters.set('after', query.after);
  else if (query.page > 1) parameters.set('offset', String((query.page - 1) * query.limit));
  return parameters;
}

/** The query with other records: from the first page on. */
export const changed = (query: ListQuery, change: Partial<ListQuery>): ListQuery => ({
  ...query,
  page: 1,
  after: undefined,
  ...change,
});

/** Puts a filter in the place of another one, or behind the others; the same condition is there once. */
export function withFilter(filters: readonly Filter[], filter: Filter, replaced?: Filter): readonly Filter[] {
  const name = parameterOf(filter);
  const rest = filters.filter((other) => other === replaced || parameterOf(other) !== name);
  return replaced ? rest.map((other) => (other === replaced ? filter : other)) : [...rest, filter];
}

/** The order after a click on the header of a field: ascending, descending, the usual one; `add` keeps the others. */
export function sortedBy(sort: readonly Sort[], field: string, add: boolean): readonly Sort[] {
  const current = sort.find((order) => order.field === field);
  const kept = add ? sort.filter((order) => order.field !== field) : [];
  if (!current) return [...kept, { field, descending: false }].slice(-3);
  return current.descending ? kept : [...kept, { field, descending: true }];
}
