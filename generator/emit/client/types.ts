import { type Content, contentOf } from '../../../runtime/kernel/model/query.ts';
import type { BodyName } from '../../../runtime/kernel/model/operations.ts';
import { referenceKey } from '../../../runtime/kernel/model/table.ts';
import { compare } from '../../read/diagnostic.ts';
import { schemaOf, zodTypeOf } from '../../model/field-types.ts';
import {
  expandable,
  type Field,
  type FieldType,
  itemsKey,
  mayBeNull,
  mustBeSent,
  shownReferences,
  type Resource,
  targetsOf,
} from '../../model/model.ts';
import { inputName } from '../../model/names.ts';
import { isListed, takes } from '../../model/operations.ts';
import { shapeOf } from '../shape.ts';
import { aligned, type Expression, ownUnion, print, string, typeAlias, typeArguments, union } from '../expression.ts';
import { docComment } from '../file.ts';
import { identifiers } from '../identifiers.ts';

const typesOfValues = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'client.Json',
} as const;

function typesOf(type: FieldType): Expression[] {
  if (type.type === 'enum') return type.values.map(string);
  if (type.type !== 'list') return [typesOfValues[schemaOf(type).type]];
  const items = typesOf(type.of);
  return items.length === 1 ? [[...items, '[]']] : [['(', union(items), ')[]']];
}

/** The types of a field's values, null among them where a record can show it. */
function valueTypes(resource: Resource, field: Field): Expression[] {
  const values = typesOf(field);
  return mayBeNull(field, resource) ? [...values, 'null'] : values;
}

function fieldLines(resource: Resource, { name, field }: ReturnType<typeof shapeOf>[number]): string {
  const isPosition = field === undefined && name === 'idx';
  const isReadOnly = field ? field.readOnly || field.immutable === true : !isPosition;
  const types = field ? valueTypes(resource, field) : [isPosition ? 'number' : 'string'];
  return propertyLines(field?.doc, [isReadOnly ? 'readonly ' : '', name, ':'], types);
}

function propertyLines(doc: string | undefined, name: Expression, types: readonly Expression[]): string {
  const line = print(aligned(2, [name, ownUnion(types), ';']));
  return doc === undefined ? line : `${docComment(doc, '  ')}\n${line}`;
}

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

const bodies: Readonly<Record<Exclude<BodyName, 'reorder' | 'input'>, (resource: Resource) => Expression>> = {
  create: (resource) => {
    const required = keysWhere(resource, mustBeSent);
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

/** The types of the inputs of its transitions. */
export const inputTypes = (resource: Resource): string[] =>
  resource.transitions.flatMap((transition) => {
    if (!transition.input) return [];
    const lines = transition.input.map((field) =>
      propertyLines(field.doc, [field.name, field.required ? ':' : '?:'], valueTypes(resource, field)),
    );
    return interfaceOf(`The input of ${transition.name}.`, inputName(resource, transition), lines);
  });

/** The type of a filter by what its field holds. */
const filterTypes: Readonly<Record<Content, string>> = {
  string: 'client.TextFilter',
  unordered: 'client.UnorderedFilter',
  reference: 'client.ReferenceFilter',
  date: 'client.DateFilter',
  number: 'client.NumberFilter',
  decimal: 'client.DecimalFilter',
  boolean: 'client.BooleanFilter',
  list: 'client.ListFilter',
  free: 'client.JsonFilter',
  key: 'client.KeyFilter',
};

function filterLine(resource: Resource, name: string): string {
  const field = resource.fields.find((candidate) => candidate.name === name);
  // The only columns that the spec does not name are timestamps.
  const filter = filterTypes[field ? contentOf(zodTypeOf(field)) : 'date'];
  const values = field?.type === 'enum' || field?.type === 'list' ? [`${identifiers(resource).type}['${name}']`] : [];
  return print(aligned(2, [name, '?: ', typeArguments(filter, ...values), ';']));
}

/** The types of a list's own filters and sort orders; a type without members is left out. */
function listTypes(resource: Resource): string[] {
  if (!isListed(resource)) return [];
  const { plural, list, archive } = resource;
  const { filter, sort } = identifiers(resource).client;
  const archived = '  /** True for archived records alone, `any` for all; lists leave archived ones out without it. */';
  const lines = [
    ...list.filter.map((name) => filterLine(resource, name)),
    ...(archive ? [archived, "  archived?: boolean | 'any' | undefined;"] : []),
  ];
  const head = `${filter} extends ${baseFilter(resource)}`;
  return [
    ...(lines.length > 0 ? [interfaceOf(`The filters of lists of ${plural}.`, head, lines)] : []),
    ...(list.sort.length > 0 ? [print([`export type ${sort} =`, ownUnion(list.sort.map(string)), ';'])] : []),
  ];
}

/** The filters that every list of the kind has. */
const baseFilter = ({ kind }: Resource): string => (kind === 'line-item' ? 'client.ItemFilter' : 'client.RecordFilter');

/** The type of what a record can be shown with; nothing if there is nothing. */
function expandType(resource: Resource): string[] {
  const items = expandable(resource).map((item) => `  ${itemsKey(item.segment)}: ${identifiers(item).type};`);
  const named = shownReferences(resource).map((reference) => {
    const { name } = reference;
    const records = targetsOf(reference).map(({ table }) => identifiers({ name: table }).type);
    const type = typeArguments('client.Referenced', string(referenceKey(name)), union(records));
    return print(aligned(2, [name, ': ', type, ';']));
  });
  const { expand } = identifiers(resource).client;
  const kinds = [
    ...expandable(resource).map(({ field }) => (field === undefined ? 'line items' : 'records')),
    ...named.map(() => 'records'),
  ];
  const words = [...new Set(kinds)].join(' and ');
  const doc = `The ${words} that ${resource.plural} can be shown with.`;
  return items.length + named.length === 0 ? [] : [interfaceOf(doc, expand, [...items, ...named])];
}

/** The types of what reads can be asked for. */
export const queryTypes = (resource: Resource): string[] => [...listTypes(resource), ...expandType(resource)];

/** The type argument for what a record can be shown with, where there is something. */
export const expandArguments = (resource: Resource): string[] =>
  expandable(resource).length + shownReferences(resource).length === 0 ? [] : [identifiers(resource).client.expand];

/** The type arguments of lists: the last ones are left out where they have their default. */
export function listArguments(resource: Resource): string[] {
  const { list } = resource;
  const { type, client } = identifiers(resource);
  const expand = expandArguments(resource);
  const sort = list.sort.length > 0 ? [client.sort] : expand.map(() => 'never');
  return [type, list.filter.length > 0 ? client.filter : baseFilter(resource), ...sort, ...expand];
}
