/** The query of a request, before it is written into its URL. */
export interface Query {
  readonly parent_id?: string;
  readonly by?: PropertyKey | undefined;
  readonly sum?: readonly PropertyKey[] | undefined;
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

const emptyList = (name: string): string =>
  `The filter ${name} has no values, so that no record can match: leave the filter out, or send no request.`;

/**
 * The parameters of a field's filter: of a value, or of several operators.
 *
 * @throws TypeError for a list of no values
 */
function filterParameters(field: string, filter: unknown): Parameter[] {
  if (typeof filter !== 'object' || filter === null) return [[field, filter]];
  return Object.entries(filter).map(([operator, value]): Parameter => {
    const name = operator === 'eq' ? field : `${field}[${operator}]`;
    if (!Array.isArray(value)) return [name, value];
    // The server would read one empty string.
    if (value.length === 0) throw new TypeError(emptyList(name));
    return [name, value.map(escaped).join()];
  });
}

/**
 * A query as it stands in a URL, with its question mark; empty if there is nothing to ask for.
 *
 * @throws TypeError for a filter by a list of no values
 */
export function searchOf({ filter = {}, sort, fields, expand, ...rest }: Query): string {
  const parameters: Parameter[] = [
    ...Object.entries(rest),
    ...Object.entries(filter).flatMap(([field, value]) => filterParameters(field, value)),
    ['sort', sort],
    ['fields', fields],
    // Line items are named by the last segment of their path, and have underscores in the records. References may have both.
    ['expand', expand?.map((name) => String(name).replaceAll('_', '-'))],
  ];
  const given = parameters.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
