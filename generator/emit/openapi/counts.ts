import { maxGroups } from '../../../runtime/features/counts/limits.ts';
import { schemaOf } from '../../model/field-types.ts';
import { type Field, hasCounts, type Resource } from '../../model/model.ts';
import { listed } from '../../model/names.ts';
import { sharedStatuses } from '../../model/operations.ts';
import { failureRefs } from './errors.ts';
import { exampleOf } from './examples.ts';
import { tagOf } from './info.ts';
import { commaList, parentParameter, rowParameters } from './list-parameters.ts';
import { inQuery, jsonContent, type JsonObject, open } from './reference.ts';

const fieldsOf = ({ fields }: Resource, names: readonly string[]): Field[] =>
  names.flatMap((name) => fields.find((field) => field.name === name) ?? []);

/** The schema of a value in a group, without the limits of its field: older records may have others, and a sum is larger. */
function groupSchema(field: Field, isNullable: boolean): JsonObject {
  const { type, format } = schemaOf(field);
  return {
    type: isNullable ? [type, 'null'] : type,
    ...(type === 'number' && { format: 'double' }),
    ...(format !== undefined && { format }),
  };
}

/** The parameters that choose the groups, the sums, and of line items the parent. */
function ownParameters(resource: Resource): JsonObject[] {
  const { list, parent } = resource;
  const isByParent = parent !== undefined && list.count.includes(parent.field);
  const prefix = inQuery('parent_id[prefix]', {
    description: `Parents whose ids begin so, with \`by=${parent?.field}\`.`,
    schema: { type: 'string' },
    example: 'abc',
  });
  const by = inQuery('by', {
    description: 'A group for each value of this field; without it, there is one.',
    schema: { type: 'string', enum: list.count },
    example: list.count[0] ?? '',
  });
  return [
    ...parentParameter(resource).map((one) =>
      isByParent
        ? { ...one, required: false, description: `The parent; required without \`by=${parent.field}\`.` }
        : one,
    ),
    ...(isByParent ? [prefix] : []),
    ...(list.count.length > 0 ? [by] : []),
    ...(list.sum.length > 0
      ? [
          commaList(
            'sum',
            'The sums of these fields in each group.',
            { items: { type: 'string', enum: list.sum }, minItems: 1, uniqueItems: true },
            list.sum.slice(0, 1),
          ),
        ]
      : []),
  ];
}

/** The operation that counts the records of a list, by the path below that of the resource; nothing where none are counted. */
export function countOperation(resource: Resource): Readonly<Record<string, JsonObject>> {
  if (!hasCounts(resource)) return {};
  const { list, plural, pluralType } = resource;
  const [counted, summed] = [fieldsOf(resource, list.count), fieldsOf(resource, list.sum)];
  const count = {
    type: 'integer',
    minimum: 0,
    description: 'How many records there are in the group.',
    examples: [12],
  };
  const group = Object.fromEntries<JsonObject>([
    ...counted.map((field) => [field.name, groupSchema(field, true)] as const),
    ['count', count],
    ...summed.map((field) => [field.name, groupSchema(field, false)] as const),
  ]);
  const body = {
    data: { type: 'array', maxItems: maxGroups, items: open(group, ['count']), description: 'The groups.' },
    total: { type: 'integer', minimum: 0, description: 'How many records there are in all groups.' },
  };
  const example = Object.fromEntries(
    [...counted.slice(0, 1), ...summed.slice(0, 1)].map((field) => [field.name, exampleOf(field, resource) ?? null]),
  );
  const parts = [
    ...(counted.length > 0 ? ['by the values of a field'] : []),
    ...(summed.length > 0 ? ['with the sums of their numbers'] : []),
  ];
  const operation = {
    operationId: `count${pluralType}`,
    tags: [tagOf(resource)],
    summary: `Count ${plural}`,
    description:
      `Responds with the number of the records that all filters find, ${listed(parts)}: the largest group first, that of null last. ` +
      `More than ${maxGroups} groups are refused with 400 \`too_many_groups\`.`,
    parameters: [...ownParameters(resource), ...rowParameters(resource)],
    responses: {
      200: {
        description: 'The groups.',
        content: jsonContent(open(body, Object.keys(body)), { data: [{ ...example, count: 12 }], total: 12 }),
      },
      ...failureRefs([400, ...sharedStatuses, 414]),
    },
    'x-count': { by: list.count, sum: list.sum },
  };
  return { [`${resource.path}/count`]: { get: operation } };
}
