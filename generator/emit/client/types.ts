import { type Content, contentOf } from '../../../runtime/model/query.ts';
import type { BodyName } from '../../../runtime/model/operations.ts';
import { compare } from '../../read/diagnostic.ts';
import { schemaOf, zodTypeOf } from '../../model/field-types.ts';
import { expandable, type Field, itemsKey, type Resource } from '../../model/model.ts';
import { isListed, takes } from '../../model/operations.ts';
import { shapeOf } from '../shape.ts';
import { aligned, type Expression, ownUnion, print, string, typeAlias, typeArguments, union } from '../expression.ts';
import { docComment } from '../file.ts';
import { identifiers } from '../identifiers.ts';

const typesOfValues = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean' } as const;

/** The types of a field's values, null among them where a record can show it. */
function valueTypes({ kind }: Resource, field: Field): Expression[] {
  const values = field.type === 'enum' ? field.values.map(string) : [typesOfValues[schemaOf(field).type]];
  return field.required && !field.nullable && kind !== 'singleton' ? values : [...values, 'null'];
}

function fieldLines(resource: Resource, { name, field }: ReturnType<typeof shapeOf>[number]): string {
  const isPosition = field === undefined && name === 'idx';
  const isReadOnly = field ? field.readOnly : !isPosition;
  const types = field ? valueTypes(resource, field) : [isPosition ? 'number' : 'string'];
  const line = print(aligned(2, [isReadOnly ? 'readonly ' : '', name, ':', ownUnion(types), ';']));
  return field?.doc === undefined ? line : `${docComment(field.doc, '  ')}\n${line}`;
}

/** An interface with a line for each property. */
const interfaceOf = (doc: string, head: string, lines: readonly string[]): string =>
  [docComment(doc), `export interface ${head} {`, ...lines, '}'].join('\n');

/** The record as clients see it: every field once, on its line. */
export const recordType = (resource: Resource): string =>
  interfaceOf(
    resource.doc,
    identifiers(resource).type,
    shapeOf(resource).map((entry) => fieldLines(resource, entry)),
  );

/** The names of the fields that hold, as a type, by name; none where there are none. */
function keysWhere({ fields }: Resource, holds: (field: Field) => boolean): Expression[] {
  const names = fields.filter(holds).map(({ name }) => name);
  return names.length === 0 ? [] : [union(names.toSorted(compare).map(string))];
}

/** The bodies that are derived from a record. */
const bodies: Readonly<Record<Exclude<BodyName, 'reorder'>, (resource: Resource) => Expression>> = {
  create: (resource) => {
    const required = keysWhere(resource, (field) => field.required);
    const readOnly = keysWhere(resource, (field) => field.readOnly);
    const none = required.length === 0 && readOnly.length > 0 ? ['never'] : required;
    return typeArguments('client.Creatable', identifiers(resource).type, ...none, ...readOnly);
  },
  update: (resource) => {
    const isSetOnce = (field: Field): boolean => resource.kind === 'singleton' && field.required && !field.nullable;
    return typeArguments('client.Updatable', identifiers(resource).type, ...keysWhere(resource, isSetOnce));
  },
};

/** The types of the bodies that a resource takes. */
export const bodyTypes = (resource: Resource): string[] =>
  (Object.keys(bodies) as (keyof typeof bodies)[])
    .filter((body) => takes(resource, body))
    .map((body) => print(typeAlias(identifiers(resource).bodies[body], bodies[body](resource))));

/** The type of a filter by what its field holds. */
const filterTypes: Readonly<Record<Content, string>> = {
  string: 'client.TextFilter',
  date: 'client.DateFilter',
  number: 'client.NumberFilter',
  boolean: 'client.BooleanFilter',
  key: 'client.KeyFilter',
};

function filterLine(resource: Resource, name: string): string {
  const field = resource.fields.find((candidate) => candidate.name === name);
  // The only columns that the spec does not name are timestamps.
  const filter = filterTypes[field ? contentOf(zodTypeOf(field)) : 'date'];
  const values = field?.type === 'enum' ? [`${identifiers(resource).type}['${name}']`] : [];
  return print(aligned(2, [name, '?: ', typeArguments(filter, ...values), ';']));
}

/** The types of a list's own filters and sort orders; a type without members is left out. */
function listTypes(resource: Resource): string[] {
  if (!isListed(resource)) return [];
  const { plural, list } = resource;
  const { filter, sort } = identifiers(resource).client;
  const lines = list.filter.map((name) => filterLine(resource, name));
  const head = `${filter} extends ${baseFilter(resource)}`;
  return [
    ...(lines.length > 0 ? [interfaceOf(`The filters of lists of ${plural}.`, head, lines)] : []),
    ...(list.sort.length > 0 ? [print([`export type ${sort} =`, ownUnion(list.sort.map(string)), ';'])] : []),
  ];
}

/** The filters that every list of the kind has. */
const baseFilter = ({ kind }: Resource): string => (kind === 'line-item' ? 'client.ItemFilter' : 'client.RecordFilter');

/** The type of the line items that a record can be shown with; nothing if there are none. */
function expandType(resource: Resource): string[] {
  const lines = expandable(resource).map((item) => `  ${itemsKey(item.segment)}: ${identifiers(item).type};`);
  const { expand } = identifiers(resource).client;
  return lines.length === 0
    ? []
    : [interfaceOf(`The line items that ${resource.plural} can be shown with.`, expand, lines)];
}

/** The types of what reads can be asked for. */
export const queryTypes = (resource: Resource): string[] => [...listTypes(resource), ...expandType(resource)];

/** The type argument for the line items that a record can be shown with, where it has some. */
export const expandArguments = (resource: Resource): string[] =>
  expandable(resource).length === 0 ? [] : [identifiers(resource).client.expand];

/** The type arguments of lists: the last ones are left out where they have their default. */
export function listArguments(resource: Resource): string[] {
  const { list } = resource;
  const { type, client } = identifiers(resource);
  const expand = expandArguments(resource);
  const sort = list.sort.length > 0 ? [client.sort] : expand.map(() => 'never');
  return [type, list.filter.length > 0 ? client.filter : baseFilter(resource), ...sort, ...expand];
}
