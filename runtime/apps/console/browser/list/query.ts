import { archivedAt, type Operator, type Resource } from '../model.ts';

/** A condition on a field, with its value as the API takes it: of `in`, values separated by commas. */
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
const pageParameters = new Set(['limit', 'page', 'after', 'sort', 'q', 'archived']);

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
    limit: positive(parameters.get('limit'), defaultLimit),
    page: positive(parameters.get('page'), 1),
    after: parameters.get('after') ?? undefined,
  };
}

/** Which records, in which order: the parameters of the API that all pages share. */
export function selectionOf({ filters, sort, search, withArchived }: ListQuery): URLSearchParams {
  const parameters = new URLSearchParams();
  if (search) parameters.set('q', search);
  if (withArchived || filters.some(({ field }) => field === archivedAt)) parameters.set('archived', 'any');
  for (const filter of filters) parameters.append(parameterOf(filter), filter.value);
  if (sort.length > 0)
    parameters.set('sort', sort.map(({ field, descending }) => (descending ? `-${field}` : field)).join(','));
  return parameters;
}

/** The parameters of the URL of a list: those of the API, and the number of the page. */
export function toParameters(query: ListQuery): URLSearchParams {
  const parameters = selectionOf(query);
  if (query.limit !== defaultLimit) parameters.set('limit', String(query.limit));
  if (query.page > 1) parameters.set('page', String(query.page));
  if (query.after !== undefined) parameters.set('after', query.after);
  return parameters;
}

/** The request for a page, with the fields that are shown alone: others may be megabytes long. */
export function requestOf(resource: Resource, query: ListQuery): URLSearchParams {
  const parameters = selectionOf(query);
  const archived = query.withArchived ? [archivedAt] : [];
  const naming = resource.recordTitle.length > 0 ? resource.titleFields : [];
  const fields = new Set(['id', ...[...naming, ...resource.columns].map(({ name }) => name), ...archived]);
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
