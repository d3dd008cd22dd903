import { referenceKey } from '../../../runtime/kernel/model/table.ts';
import { idExample, schemaOf } from '../../model/field-types.ts';
import {
  copyWords,
  expandable,
  type Field,
  type FieldType,
  itemsKey,
  mayBeNull,
  momentWords,
  mustBeSent,
  shownReferences,
  type Resource,
  type Rule,
  targetsOf,
} from '../../model/model.ts';
import { pascalCase, typeName, withArticle } from '../../model/names.ts';
import { responds, takes } from '../../model/operations.ts';
import { identifiers } from '../identifiers.ts';
import type { Json } from '../json.ts';
import { exampleOf, timestampExample } from './examples.ts';
import { closed, idx, type JsonObject, open, schemaRef, withoutNull } from './reference.ts';

/** The types whose values are any strings, if these have no pattern. */
const textTypes: ReadonlySet<FieldType['type']> = new Set(['text', 'reference']);

/** The JSON types of values of any form. */
const jsonTypes = ['object', 'array'] as const;

/** The schema of a value, in a request or in a response. */
export function valueSchema(type: FieldType, isSent: boolean): JsonObject {
  const { maxBytes: _, ...schema } = schemaOf(type);
  return {
    ...(Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as JsonObject),
    ...(type.type === 'list' && { items: valueSchema(type.of, isSent) }),
    // Clients that are made from it need to be told that anything may be in them.
    ...(type.type === 'json' && {
      type: [...jsonTypes],
      items: {},
      additionalProperties: true,
      'x-max-bytes': type.maxBytes,
    }),
    // No other number of JSON is a double.
    ...(schema.type === 'number' && { format: 'double' }),
    ...(isSent && textTypes.has(type.type) && schema.pattern === undefined && { pattern: withoutNull }),
  };
}

function fieldSchema(field: Field, nullable: boolean, isSent: boolean): JsonObject {
  const { type, enum: values, description } = schemaOf(field);
  const words = [field.doc, description, referenceWords(field)].filter((sentence) => sentence !== undefined);
  return {
    ...valueSchema(field, isSent),
    ...(nullable && { type: [...(field.type === 'json' ? jsonTypes : [type]), 'null'] }),
    ...(nullable && values && { enum: [...values, null] }),
    ...(words.length > 0 && { description: words.join(' ') }),
    ...(field.type === 'reference' && {
      'x-references': field.others.length > 0 ? targetsOf(field).map(({ resource }) => resource) : field.resource,
      'x-on-delete': field.onDelete,
      ...(field.inverse !== undefined && { 'x-inverse': field.inverse }),
    }),
  };
}

const deletions = {
  restrict: 'which cannot be deleted meanwhile',
  set_null: 'whose delete sets the field to null',
  cascade: 'whose delete deletes this record too',
} as const;

function referenceWords(field: Field): string | undefined {
  if (field.type !== 'reference') return undefined;
  const records = targetsOf(field).map(({ table }) => withArticle(table.replaceAll('_', ' ')));
  return `The id of ${records.join(' or ')} that exists, ${deletions[field.onDelete]}.`;
}

/** The name of the schema of a resource's ids. Like that of each value, it is in lower case: no type of a record is called so. */
const idName = ({ name }: Resource): string => `${name}_id`;

/** A reference to the ids of a resource's records. */
export const idRef = (resource: Resource): JsonObject => schemaRef(idName(resource));

/** The ids of a resource's records; those from before a renaming begin with the former name. */
function idSchema({ name, renamedFrom }: Resource): JsonObject {
  const names = [name, ...renamedFrom];
  const beginning = names.length === 1 ? name : `(?:${names.join('|')})`;
  return { type: 'string', pattern: `^${beginning}_[0-9A-HJKMNP-TV-Z]{26}$`, examples: [idExample(name)] };
}

const timestamp = (description: string): JsonObject => ({
  type: 'string',
  format: 'date-time',
  readOnly: true,
  description,
  examples: [timestampExample],
});

const builtIn = { created_at: timestamp('When created.'), updated_at: timestamp('Last changed.') };

/** A read-only field in the body of an update, which says about all of them when they are accepted. */
const sentBack = (schema: JsonObject): JsonObject => ({
  ...Object.fromEntries(Object.entries(schema).filter(([key]) => key !== 'examples' && key !== 'description')),
  readOnly: true,
});

/** The conditions under which an update takes a field, by its `immutable`. */
const changeWords = {
  true: 'An update is accepted only with the value that is stored.',
  once_set: 'Once it is set, an update is accepted only with the value that is stored.',
} as const;

/** A schema with some words more in its description. */
const withWords = (schema: JsonObject, words: string | undefined): JsonObject =>
  words === undefined ? schema : { ...schema, description: [schema['description'], words].filter(Boolean).join(' ') };

const numberedWords = 'Numbered by the service. A create with the header `Import: true` may bring it.';

function recordSchema(resource: Resource): JsonObject {
  const { kind, fields, rules, doc } = resource;
  const uniqueAlone = new Set((resource.unique ?? []).flatMap((key) => (key.fields.length === 1 ? key.fields : [])));
  const isItem = kind === 'line-item';
  const properties: Record<string, Json> = {
    id: { ...idRef(resource), readOnly: true, description: 'Set by the service.' },
    ...(isItem && { idx: { ...idx, description: 'The place within its parent.', examples: [1] } }),
  };
  for (const field of fields) {
    const example = exampleOf(field, resource);
    const always = field.always && field.moment && `Each change sets it to ${momentWords(field.moment, 'request')}.`;
    const words = field.sequence ? numberedWords : always || undefined;
    properties[field.name] = {
      ...withWords(fieldSchema(field, mayBeNull(field, resource), false), words),
      ...(field.readOnly && { readOnly: true }),
      ...(field.computed !== undefined && { 'x-computed': field.computed }),
      ...(field.sequence && { 'x-sequence': field.sequence.pattern }),
      ...(field.immutable && { 'x-immutable': field.immutable }),
      ...(uniqueAlone.has(field.name) && { 'x-unique': true }),
      ...(field.colors && { 'x-colors': { ...field.colors } }),
      ...(example !== undefined && { examples: [example] }),
    };
  }
  if (!isItem) Object.assign(properties, builtIn);
  const always = Object.keys(properties);
  for (const { segment, name: item } of expandable(resource)) {
    properties[itemsKey(segment)] = {
      ...schemaRef(`${pascalCase(item)}List`),
      description: 'If `expand` asks for it.',
    };
  }
  for (const reference of shownReferences(resource)) {
    const { name: field } = reference;
    properties[referenceKey(field)] = {
      anyOf: [...targetsOf(reference).map(({ table }) => schemaRef(typeName(table))), { type: 'null' }],
      description: `If \`expand\` asks for it: the record that ${field} names; null if there is none, or the key may not read it.`,
    };
  }
  return { ...open(properties, always, doc), ...(rules.length > 0 && { 'x-rules': rules.map(ruleSchema) }) };
}

/** A rule of a record, for readers and programs: its expressions are in CEL. */
const ruleSchema = ({ that, when, message, field }: Rule): JsonObject => ({
  that: that.text,
  ...(when && { when: when.text }),
  message,
  ...(field !== undefined && { field }),
});

/** The body of a create. */
export const createSchema = ({ kind, fields }: Resource): JsonObject =>
  bodySchema(fields, kind === 'line-item' ? { idx: { ...idx, description: 'If absent, behind the last one.' } } : {});

/** A body of fields, of which those that are not required may be left out. */
export function bodySchema(
  fields: readonly Field[],
  builtInFields: Readonly<Record<string, Json>> = {},
  act: 'create' | 'call' = 'create',
): JsonObject {
  const properties: Record<string, Json> = { ...builtInFields };
  for (const field of fields) {
    if (field.readOnly) continue;
    const defaultValue = field.default !== null && { default: field.default };
    const computed = field.moment ? momentWords(field.moment, act) : copyWords(field);
    const words = computed && `By default, ${computed}${field.required ? ', which must have one' : ''}.`;
    properties[field.name] = {
      ...withWords(fieldSchema(field, field.nullable, true), words),
      ...defaultValue,
      ...(field.defaultFrom !== undefined && { 'x-default-from': field.defaultFrom }),
    };
  }
  return closed(
    properties,
    fields.filter(mustBeSent).map(({ name }) => name),
  );
}

/** The body of an update, which may repeat read-only fields with the values that are stored. */
function updateSchema(resource: Resource): JsonObject {
  const { kind, fields } = resource;
  const isItem = kind === 'line-item';
  const properties: Record<string, Json> = { id: sentBack(idRef(resource)), ...(isItem && { idx }) };
  for (const field of fields) {
    const schema = fieldSchema(field, field.nullable, true);
    const rule = field.immutable && changeWords[`${field.immutable}`];
    properties[field.name] = field.readOnly ? sentBack(schema) : withWords(schema, rule);
  }
  if (!isItem) for (const [name, schema] of Object.entries(builtIn)) properties[name] = sentBack(schema);
  return closed(properties, [], 'A read-only field is accepted only with the value that is stored, as it was read.');
}

/** The schemas of a resource: its ids and records, the body of an update, and the list. The body of a create is in its operation. */
export function resourceSchemas(resource: Resource): Record<string, JsonObject> {
  const { type, bodies } = identifiers(resource);
  const list = {
    data: { type: 'array', items: schemaRef(type), description: 'The records of this page.' },
    has_more: { type: 'boolean', description: 'Whether there are records after these.', examples: [false] },
    total: { type: 'integer', minimum: 0, description: 'How many records there are on all pages.', examples: [1] },
  };
  return {
    [idName(resource)]: idSchema(resource),
    [type]: recordSchema(resource),
    ...(takes(resource, 'update') && { [bodies.update]: updateSchema(resource) }),
    ...(responds(resource, 'list') && {
      [`${type}List`]: open(list, Object.keys(list), `A page of ${resource.plural}.`),
    }),
  };
}
