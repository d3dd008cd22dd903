import { maxEntries } from '../../../runtime/model/limits.ts';
import { contentOf, type Operator, operators, parameterOf } from '../../../runtime/model/query.ts';
import { filterTypeOf, idExample, zodTypeOf } from '../../model/field-types.ts';
import { eachOnItsLine, type Json } from '../json.ts';
import { kindFields } from '../../model/language.ts';
import { type FieldType, itemField, type Resource } from '../../model/model.ts';
import { exampleOf, timestampExample } from './examples.ts';
import { inQuery, type JsonObject, plainText } from './reference.ts';
import { idSchema, valueSchema } from './schemas.ts';

/** A field that a list can be filtered by. */
interface Filter {
  readonly name: string;
  readonly operators: readonly Operator[];
  readonly schema: JsonObject;
  readonly example: Json;
}

/** The schema of a filter's value. The limit of the URL bounds texts already. */
function filterSchema(type: FieldType): JsonObject {
  const { maxLength: _, description: __, ...schema } = valueSchema(type, true);
  return schema;
}

/** The fields that every list can be filtered and sorted by. */
export const alwaysListed = ({ kind }: Resource): string[] =>
  ['id', 'created_at'].filter((name) => kindFields[kind].includes(name));

/** The filters of a resource's list: those of every list, and those of the spec. */
function filtersOf(resource: Resource): Filter[] {
  const { name, fields, list } = resource;
  const filters: Filter[] = [
    { name: 'id', operators: operators.key, schema: idSchema(resource), example: idExample(name) },
  ];
  const timestamps = { schema: filterSchema({ type: 'date-time' }), example: timestampExample };
  if (alwaysListed(resource).includes('created_at')) {
    filters.push({ name: 'created_at', operators: operators.key, ...timestamps });
  }
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

/** The pattern of strings in a list with commas between them. */
const escaped = String.raw`^(?:[^,\\\x00]|\\[,\\])*$`;

/** The values of `in`: strings are escaped. */
const itemSchema = ({ operators: all, schema }: Filter): JsonObject =>
  all === operators.string ? { ...schema, pattern: escaped } : schema;

/** The operators of filters. `of` is for those whose value is not a value of the field. */
const forms: {
  readonly [O in Operator]: { readonly doc: string; readonly of?: (filter: Filter) => JsonObject };
} = {
  eq: { doc: 'Equal to this.' },
  ne: { doc: 'Not equal to this, and not null.' },
  in: {
    doc: 'One of these.',
    of: (filter) => ({
      ...(filter.operators === operators.string && {
        description: 'One of these. A comma in a value is written `\\,`, and a backslash `\\\\`.',
      }),
      explode: false,
      schema: { type: 'array', items: itemSchema(filter), minItems: 1, maxItems: maxEntries },
      example: [escapeCommas(filter.example)],
    }),
  },
  null: { doc: 'Null; with `false`, not null.', of: () => ({ schema: { type: 'boolean' }, example: false }) },
  has: { doc: 'Among the values.' },
  gt: { doc: 'Greater than this.' },
  gte: { doc: 'This or greater.' },
  lt: { doc: 'Less than this.' },
  lte: { doc: 'This or less.' },
  prefix: {
    doc: 'Begins with this.',
    of: ({ example }) => ({ schema: plainText, example: [...String(example)].slice(0, 3).join('') }),
  },
};

const formsOf = (filter: Filter): JsonObject[] =>
  filter.operators.map((operator) => {
    const { schema, example } = filter;
    const { doc, of } = forms[operator];
    const form = of?.(filter) ?? { schema, example };
    return inQuery(parameterOf(filter.name, operator), { description: doc, ...form });
  });

/** The parameters that filter a list, those of one field after the other. */
export const filterParameters = (resource: Resource): JsonObject[] => filtersOf(resource).flatMap(formsOf);

/** The operators of each filter of a list. `id` and the timestamps come last, so that a new filter adds a line. */
export function filterOperators(resource: Resource): JsonObject {
  const all = filtersOf(resource).map((filter) => [filter.name, filter.operators] as const);
  const always = alwaysListed(resource).length;
  return eachOnItsLine(Object.fromEntries([...all.slice(always), ...all.slice(0, always)]));
}
