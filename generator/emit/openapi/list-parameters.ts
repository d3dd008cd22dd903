import { maxSearchLength } from '../../../runtime/features/search/limits.ts';
import { maxEntries, maxNamed, maxSortKeys } from '../../../runtime/kernel/model/limits.ts';
import { eachOnItsLine } from '../json.ts';
import { expandable, shownReferences, type Resource } from '../../model/model.ts';
import { capitalize, either, listed } from '../../model/names.ts';
import { shapeOf } from '../shape.ts';
import { identifiers } from '../identifiers.ts';
import { exampleOf } from './examples.ts';
import { idExample } from '../../model/field-types.ts';
import { alwaysListed, filterParameters } from './filters.ts';
import { inQuery, type JsonObject, schemaRef } from './reference.ts';
import { idRef } from './schemas.ts';

/** A list with commas between its items, as a parameter. */
export const commaList = (
  name: string,
  description: string,
  schema: JsonObject,
  example: readonly string[],
): JsonObject => inQuery(name, { description, explode: false, schema: { type: 'array', ...schema }, example });

/** The name of a parameter of a resource in the document. */
export const parameterName = (resource: Resource, parameter: 'Id' | 'Fields' | 'Expand'): string =>
  identifiers(resource).type + parameter;

const expandNames = (resource: Resource): string[] => [
  ...expandable(resource).map(({ segment }) => segment),
  ...shownReferences(resource)
    .map(({ name }) => name)
    .toSorted(),
];

function expandWords(resource: Resource): string {
  const kinds = new Set(
    expandable(resource).map(({ field }) => (field === undefined ? 'line items' : 'records that reference it')),
  );
  const items = `${capitalize([...kinds].join(', and '))} in each record of the response, the first ${maxEntries} of each`;
  const named = 'records that its references name';
  if (shownReferences(resource).length === 0) return `${items}.`;
  return expandable(resource).length === 0
    ? `In each record of the response, the ${named}.`
    : `${items}; and the ${named}.`;
}

/** The names of the parameters that choose parts of a record, for lists and single records. */
export const partNames = (resource: Resource): string[] => [
  parameterName(resource, 'Fields'),
  ...(expandNames(resource).length > 0 ? [parameterName(resource, 'Expand')] : []),
];

/** The parameters that several operations of a resource have, by their names in the document. */
export function ownParameters(resource: Resource): Record<string, JsonObject> {
  const names = shapeOf(resource).map(({ name }) => name);
  const expand = expandNames(resource);
  return {
    [parameterName(resource, 'Id')]: {
      name: 'id',
      in: 'path',
      required: true,
      description: `The id of the ${resource.title}.`,
      schema: idRef(resource),
      example: idExample(resource.name),
    },
    [parameterName(resource, 'Fields')]: commaList(
      'fields',
      'The fields of the response, and no others; `id` is always there.',
      { items: { type: 'string', enum: eachOnItsLine(names) }, minItems: 1 },
      names.slice(0, 1),
    ),
    ...(expand.length > 0 && {
      [parameterName(resource, 'Expand')]: commaList(
        'expand',
        expandWords(resource),
        { items: { type: 'string', enum: expand }, minItems: 1 },
        expand.slice(0, 1),
      ),
    }),
  };
}

/** The parameter for the parent of line items; of those that live elsewhere, any string. */
export function parentParameter({ parent, fields }: Resource): JsonObject[] {
  const field = fields.find(({ name }) => name === parent?.field);
  if (!parent || !field) return [];
  const description = 'The parent of the items.';
  const example = exampleOf(field, { parent }) ?? 'abc';
  return [inQuery('parent_id', { required: true, description, schema: schemaRef('text'), example })];
}

/** The parameter that a page begins behind a record with. */
const afterParameter = (resource: Resource): JsonObject =>
  inQuery('after', { description: 'The record before this page.', schema: idRef(resource) });

/** A character that is no punctuation of ASCII: not all tools know what letters there are beyond it. */
const beyondPunctuation = String.raw`[^\x00-/:-@\[-\x60{-\x7f]`;

/** The parameter that searches a list, where the spec declares it. */
function searchParameter(resource: Resource): JsonObject | undefined {
  const { fields, list } = resource;
  const first = fields.find(({ name }) => name === list.search[0]);
  if (!first) return undefined;
  return inQuery('q', {
    description: `1 to ${maxNamed} words, each of which begins a word of ${either(list.search.map((name) => `\`${name}\``))}.`,
    schema: { type: 'string', minLength: 1, maxLength: maxSearchLength, pattern: beyondPunctuation },
    example: /[\p{L}\p{Nd}]+/u.exec(String(exampleOf(first, resource)))?.[0] ?? 'abc',
  });
}

/** The parameter of lists whose records can be archived. */
const archivedParameter = inQuery('archived', {
  description: '`true` for archived records alone, `any` for all; lists leave archived ones out without it.',
  schema: { type: 'string', enum: ['true', 'false', 'any'], default: 'false' },
  example: 'any',
});

/** The fields that a list can be sorted by. */
export const sortNames = (resource: Resource): string[] => [...alwaysListed(resource), ...resource.list.sort];

/** The parameters that choose the records of a list, beside their parent. */
export function rowParameters(resource: Resource): JsonObject[] {
  const search = searchParameter(resource);
  return [...filterParameters(resource), ...(search ? [search] : []), ...(resource.archive ? [archivedParameter] : [])];
}

/** The parameters of a list that are its own: the filters, the order and the search. */
export function listParameters(resource: Resource): JsonObject[] {
  const { ignoreCase = [] } = resource.list;
  const sorts = sortNames(resource).flatMap((name) => [name, `-${name}`]);
  const sort = commaList(
    'sort',
    'The order by these fields, each once; `-` is descending.' +
      (ignoreCase.length > 0
        ? ` Case and accents do not count in ${listed(ignoreCase.map((name) => `\`${name}\``))}.`
        : ''),
    { items: { type: 'string', enum: sorts }, minItems: 1, maxItems: maxSortKeys, uniqueItems: true },
    // Like this, the record of `after` need not be there.
    ['-id'],
  );
  // The last one is always there: in JSON, a new last one changes the line before it.
  return [...parentParameter(resource), afterParameter(resource), ...rowParameters(resource), sort];
}
