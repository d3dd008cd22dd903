import { maxExpandedItems, maxInValues, maxSortKeys } from '../../../runtime/limits.ts';
import { contentOf, type Operator, operators, parameterOf } from '../../../runtime/schema/query.ts';
import { rowOf, schemaOf, zodTypeOf } from '../../field-types.ts';
import { eachOnItsLine, type Json } from '../../json.ts';
import { kindFields } from '../../language.ts';
import { expandable, type Field, type FieldType, type Resource } from '../../model.ts';
import { shapeOf } from '../../shape.ts';
import { identifiers } from '../identifiers.ts';
import type { JsonObject } from './reference.ts';

/** A parameter in the query. */
const inQuery = (name: string, rest: JsonObject): JsonObject => ({ name, in: 'query', ...rest });

/** A list with commas between its items, as a parameter. */
const commaList = (name: string, description: string, schema: JsonObject, example: readonly string[]): JsonObject =>
  inQuery(name, { description, explode: false, schema: { type: 'array', ...schema }, example });

/** A field that a list can be filtered by. */
interface Filter {
  readonly name: string;
  readonly operators: readonly Operator[];
  /** The schema of a value. */
  readonly schema: JsonObject;
  /** Examples of values. */
  readonly examples: readonly Json[];
}

const timestamp = { type: 'date-time' } as const;
const timestampExample = '2026-01-31T11:30:00.000Z';

/** The filters of a resource's list: those of every list, and those of the spec. */
function filtersOf(resource: Resource): Filter[] {
  const { kind, name, fields, list } = resource;
  const filters: Filter[] = [
    {
      name: 'id',
      operators: operators.key,
      schema: { type: 'string' },
      examples: [`${name}_01M7Y4YG13000B0XK630YDQN92`],
    },
  ];
  const timestamps = { schema: plainSchema(timestamp), examples: [timestampExample] };
  if (kindFields[kind].includes('created_at')) {
    filters.push({ name: 'created_at', operators: operators.key, ...timestamps });
  }
  for (const filter of list.filter) {
    const field = fields.find((candidate) => candidate.name === filter);
    filters.push(
      field
        ? {
            name: filter,
            operators: operators[contentOf(zodTypeOf(field))],
            schema: plainSchema(field),
            examples: examplesOf(field),
          }
        : { name: filter, operators: operators.date, ...timestamps },
    );
  }
  return filters;
}

/** Values to show; a string without a default is any text. */
function examplesOf(field: Field): readonly Json[] {
  if (field.type === 'enum') return field.values.slice(0, 2);
  return [field.default ?? (field.type === 'text' ? 'abc' : rowOf(field).example(field))];
}

/** The type, the format and the enum of a field, without its limits: a range may begin and end outside of them. */
function plainSchema(field: FieldType): JsonObject {
  const { type, format, enum: values } = schemaOf(field);
  return { type, ...(format !== undefined && { format }), ...(values && { enum: values }) };
}

/** A value in a list with commas between its items. */
const escapeCommas = <T extends Json>(value: T): T | string =>
  typeof value === 'string' ? value.replaceAll(/[\\,]/g, '\\$&') : value;

/** What a form of a filter takes, where that is no value of the field. */
const forms: { readonly [O in Operator]?: (filter: Filter) => JsonObject } = {
  in: ({ schema, examples }) => {
    const { enum: values } = schema as { readonly enum?: readonly string[] };
    const items = { ...schema, ...(values && { enum: values.map(escapeCommas) }) };
    return {
      ...(schema['type'] === 'string' && {
        description: 'A comma in a value is written `\\,`, and a backslash `\\\\`.',
      }),
      explode: false,
      schema: { type: 'array', items, maxItems: maxInValues },
      example: examples.map(escapeCommas),
    };
  },
  null: () => ({ schema: { type: 'boolean' }, example: true }),
  prefix: ({ examples }) => ({ schema: { type: 'string' }, example: [...String(examples[0])].slice(0, 3).join('') }),
};

const filterParameters = (filter: Filter): JsonObject[] =>
  filter.operators.map((operator) => {
    const { schema, examples } = filter;
    const form = forms[operator]?.(filter) ?? { schema, example: examples[0] ?? null };
    return inQuery(parameterOf(filter.name, operator), form);
  });

/** The name of the parameter `fields` of a resource in the document. */
const fieldsName = (resource: Resource): string => `${identifiers(resource).type}Fields`;

/** The name of the parameter `expand` of a resource in the document. */
const expandName = (resource: Resource): string => `${identifiers(resource).type}Expand`;

/** The names of the parameters that choose parts of a record, for lists and single records. */
export const partNames = (resource: Resource): string[] => [
  fieldsName(resource),
  ...(expandable(resource).length > 0 ? [expandName(resource)] : []),
];

/** The parameters that choose parts of a record, by their names. */
export function partParameters(resource: Resource): Record<string, JsonObject> {
  const names = shapeOf(resource).map(({ name }) => name);
  const items = expandable(resource).map(({ segment }) => segment);
  return {
    [fieldsName(resource)]: commaList(
      'fields',
      'The fields to answer with; `id` is always there.',
      { items: { type: 'string', enum: eachOnItsLine(names) } },
      names.slice(0, 1),
    ),
    ...(items.length > 0 && {
      [expandName(resource)]: commaList(
        'expand',
        `Line items to answer with in each record, the first ${maxExpandedItems} of each.`,
        { items: { type: 'string', enum: items } },
        items.slice(0, 1),
      ),
    }),
  };
}

/** The parameters of a list that are its own: the filters and the order. */
export function listParameters(resource: Resource): JsonObject[] {
  const { list } = resource;
  const always = ['id', ...(kindFields[resource.kind].includes('created_at') ? ['created_at'] : [])];
  const sorts = [...always, ...list.sort].flatMap((name) => [name, `-${name}`]);
  const sort = commaList(
    'sort',
    'The order; `-` is descending. Nulls come last.',
    { items: { type: 'string', enum: sorts }, maxItems: maxSortKeys },
    [`-${list.sort[0] ?? 'id'}`],
  );
  // The last one is always there: in JSON, a new last one changes the line before it.
  return [...filtersOf(resource).flatMap(filterParameters), sort];
}
