import { contentOf, type Operator, operators, parameterOf } from '../../../runtime/kernel/model/query.ts';
import { filterTypeOf, zodTypeOf } from '../../model/field-types.ts';
import { eachOnItsLine, type Json } from '../json.ts';
import { kindFields } from '../../model/language.ts';
import { type FieldType, itemField, type Resource } from '../../model/model.ts';
import { pascalCase } from '../../model/names.ts';
import { exampleOf, timestampExample } from './examples.ts';
import { filterList, inQuery, type JsonObject, parameterRef, schemaRef, withoutNull } from './reference.ts';
import { idRef, valueSchema } from './schemas.ts';

/** A field that a list can be filtered by. */
interface Filter {
  readonly name: string;
  readonly operators: readonly Operator[];
  readonly schema: JsonObject;
  /** None if the schema has examples. */
  readonly example?: Json;
}

/** The schema of a filter's value. The limit of the URL bounds texts already. */
function filterSchema(type: FieldType): JsonObject {
  const { maxLength: _, description: __, ...schema } = valueSchema(type, true);
  return schema['pattern'] === withoutNull ? schemaRef('text') : schema;
}

/** The fields that every list can be filtered and sorted by. */
export const alwaysListed = ({ kind }: Resource): string[] =>
  ['id', 'created_at'].filter((name) => kindFields[kind].includes(name));

/** The values of the filters of times that the service sets. */
const timestamps = { schema: filterSchema({ type: 'date-time' }), example: timestampExample };

/** The filter that all lists of records share. */
const createdAt: Filter = { name: 'created_at', operators: operators.key, ...timestamps };

/** The filters of a resource's list: those of every list, and those of the spec. */
function filtersOf(resource: Resource): Filter[] {
  const { fields, list } = resource;
  const filters: Filter[] = [{ name: 'id', operators: operators.key, schema: idRef(resource) }];
  if (alwaysListed(resource).includes('created_at')) filters.push(createdAt);
  for (const filter of list.filter) {
    const field = fields.find((candidate) => candidate.name === filter);
    filters.push(
      field
        ? {
            name: filter,
            operators: operators[contentOf(zodTypeOf(field))],
            schema: filterSchema(filterTypeOf(field)),
            example: exampleOf(field.type === 'list' ? itemField(field) : field, resource) ?? '',
          }
        : { name: filter, operators: operators.date, ...timestamps },
    );
  }
  return filters;
}

/** A value in a list with commas between its items. */
const escapeCommas = <T extends Json>(value: T): T | string =>
  typeof value === 'string' ? value.replaceAll(/[\\,]/g, '\\$&') : value;

/** The values of `in`. */
const itemsSchema = ({ operators: all, schema }: Filter): JsonObject =>
  all === operators.string ? schemaRef('texts') : filterList(schema);

/** The operators of filters. `of` is for those whose value is not a value of the field. */
const forms: {
  readonly [O in Operator]: { readonly doc: string; readonly of?: (filter: Filter) => JsonObject };
} = {
  eq: { doc: 'Equal to this.' },
  ne: { doc: 'Not this, nor null.' },
  in: {
    doc: 'One of these.',
    of: (filter) => ({
      explode: false,
      schema: itemsSchema(filter),
      ...(filter.example !== undefined && { example: [escapeCommas(filter.example)] }),
    }),
  },
  null: { doc: 'Null; with `false`, not null.', of: () => ({ schema: { type: 'boolean' }, example: false }) },
  has: { doc: 'Among the values.' },
  gt: { doc: 'More than this.' },
  gte: { doc: 'This or more.' },
  lt: { doc: 'Less than this.' },
  lte: { doc: 'This or less.' },
  prefix: {
    doc: 'The beginning.',
    of: ({ example }) => ({ schema: schemaRef('text'), example: [...String(example)].slice(0, 3).join('') }),
  },
};

const formsOf = (filter: Filter): JsonObject[] =>
  filter.operators.map((operator) => {
    const { schema, example } = filter;
    const { doc, of } = forms[operator];
    const form = of?.(filter) ?? { schema, ...(example !== undefined && { example }) };
    return inQuery(parameterOf(filter.name, operator), { description: doc, ...form });
  });

/** The name in the document of a parameter that lists share. */
const sharedName = ({ name }: Filter, operator: Operator): string =>
  pascalCase(operator === 'eq' ? name : `${name}_${operator}`);

/** The filters that all lists of records share, by their names in the document. */
export const sharedFilters: JsonObject = Object.fromEntries(
  formsOf(createdAt).map((form, index) => [sharedName(createdAt, operators.key[index]!), form]),
);

/** The parameters that filter a list, those of one field after the other. */
export const filterParameters = (resource: Resource): JsonObject[] =>
  filtersOf(resource).flatMap((filter) =>
    filter === createdAt
      ? filter.operators.map((operator) => parameterRef(sharedName(filter, operator)))
      : formsOf(filter),
  );

/** The operators of each filter of a list. `id` and the timestamps come last, so that a new filter adds a line. */
export function filterOperators(resource: Resource): JsonObject {
  const all = filtersOf(resource).map((filter) => [filter.name, filter.operators] as const);
  const always = alwaysListed(resource).length;
  return eachOnItsLine(Object.fromEntries([...all.slice(always), ...all.slice(0, always)]));
}
