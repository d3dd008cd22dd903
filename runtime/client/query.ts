/** The query of a request, before it is written into its URL. */
export interface Query {
  readonly parent_id?: string;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly after?: string | undefined;
  readonly q?: string | undefined;
  readonly filter?: object | undefined;
  readonly sort?: string | readonly string[] | undefined;
  readonly fields?: readonly PropertyKey[] | undefined;
  readonly expand?: readonly PropertyKey[] | undefined;
}

type Parameter = readonly [name: string, value: unknown];

/** A value of a filter with several: commas stand between them. */
const escaped = (value: unknown): string => String(value).replaceAll(/[\\,]/g, '\\$&');

/** The parameters of a field's filter: of a value, or of several operators. */
function filterParameters(field: string, filter: unknown): Parameter[] {
  if (typeof filter !== 'object' || filter === null) return [[field, filter]];
  return Object.entries(filter).map(([operator, value]): Parameter => {
    const name = operator === 'eq' ? field : `${field}[${operator}]`;
    return [name, Array.isArray(value) ? value.map(escaped).join() : value];
  });
}

/** A query as it stands in a URL, with its question mark; empty where there is nothing to ask for. */
export function searchOf({ filter = {}, sort, fields, expand, ...rest }: Query): string {
  const parameters: Parameter[] = [
    ...Object.entries(rest),
    ...Object.entries(filter).flatMap(([field, value]) => filterParameters(field, value)),
    ['sort', sort],
    ['fields', fields],
    // Line items are named by the last segment of their path, and have underscores in the records.
    ['expand', expand?.map((name) => String(name).replaceAll('_', '-'))],
  ];
  const given = parameters.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
