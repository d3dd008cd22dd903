import { referenceKey } from '../../../runtime/model/table.ts';
import { idExample, schemaOf } from '../../model/field-types.ts';
import {
  expandable,
  type Field,
  type FieldType,
  itemsKey,
  mayBeNull,
  momentWords,
  referencesOf,
  type Resource,
  type Rule,
} from '../../model/model.ts';
import { pascalCase, typeName, withArticle } from '../../model/names.ts';
import { responds, takes } from '../../model/operations.ts';
import { identifiers } from '../identifiers.ts';
import type { Json } from '../json.ts';
import { exampleOf, timestampExample } from './examples.ts';
import { closed, idx, type JsonObject, open, schemaRef, withoutNull } from './reference.ts';

/** The types whose values are any strings, if these have no pattern. */
const textTypes: ReadonlySet<FieldType['type']> = new Set(['text', 'reference']);

/** The schema of a value, in a request or in a response. */
export function valueSchema(type: FieldType, isSent: boolean): JsonObject {
  const schema = schemaOf(type);
  return {
    ...(Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as JsonObject),
    ...(type.type === 'list' && { items: valueSchema(type.of, isSent) }),
    // No other number of JSON is a double.
    ...(schema.type === 'number' && { format: 'double' }),
    ...(isSent && textTypes.has(type.type) && schema.pattern === undefined && { pattern: withoutNull }),
  };
}

function fieldSchema(field: Field, nullable: boolean, isSent: boolean): JsonObject {
  const { type, enum: values, description } = schemaOf(field);
  const words = [field.doc, description, referenceWords(field)].filter((one) => one !== undefined);
  return {
    ...valueSchema(field, isSent),
    ...(nullable && { type: [type, 'null'] }),
    ...(nullable && values && { enum: [...values, null] }),
    ...(words.length > 0 && { description: words.join(' ') }),
    ...(field.type === 'reference' && { 'x-references': field.resource, 'x-on-delete': field.onDelete }),
  };
}

const deletions = {
  restrict: 'which cannot be deleted meanwhile',
  set_null: 'whose delete sets the field to null',
  cascade: 'whose delete deletes this record too',
} as const;

function referenceWords(field: Field): string | undefined {
  if (field.type !== 'reference') return undefined;
  return `The id of ${withArticle(field.table.replaceAll('_', ' '))} that exists, ${deletions[field.onDelete]}.`;
}

/** The ids of a resource's records; those from before a renaming begin with the former name. */
export function idSchema({ name, renamedFrom }: Resource): JsonObject {
  const names = [name, ...renamedFrom];
  const beginning = names.length === 1 ? name : `(?:${names.join('|')})`;
  return { type: 'string', pattern: `^${beginning}_[0-9A-HJKMNP-TV-Z]{26}$` };
}

const timestamp = (description: string): JsonObject => ({
  type: 'string',
  format: 'date-time',
  readOnly: true,
  description,
  examples: [timestampExample],
});

const builtIn = {
  created_at: timestamp('When the record was created.'),
  updated_at: timestamp('When the record last changed.'),
};

/** A read-only field in the body of an update. */
const sentBack = (schema: JsonObject): JsonObject => ({
  ...Object.fromEntries(Object.entries(schema).filter(([key]) => key !== 'examples')),
  readOnly: true,
  description: 'Accepted only with the value that is stored: a record may be sent back as it was read.',
});

/** The conditions under which an update takes a field, by its `immutable`. */
const changeWords = {
  true: 'An update is accepted only with the value that is stored.',
  once_set: 'Once it is set, an update is accepted only with the value that is stored.',
} as const;

/** A schema with some words more in its description. */
const withWords = (schema: JsonObject, words: string | undefined): JsonObject =>
  words === undefined ? schema : { ...schema, description: [schema['description'], words].filter(Boolean).join(' ') };

function recordSchema(resource: Resource): JsonObject {
  const { kind, fields, rules, doc, name } = resource;
  const isItem = kind === 'line-item';
  const properties: Record<string, Json> = {
    id: { ...idSchema(resource), readOnly: true, description: 'Set by the service.', examples: [idExample(name)] },
    ...(isItem && { idx: { ...idx, description: 'The place among the items of its parent.', examples: [1] } }),
  };
  for (const field of fields) {
    const example = exampleOf(field, resource);
    properties[field.name] = {
      ...fieldSchema(field, mayBeNull(field, resource), false),
      ...(field.readOnly && { readOnly: true }),
      ...(field.computed !== undefined && { 'x-computed': field.computed }),
      ...(field.immutable && { 'x-immutable': field.immutable }),
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
  for (const { name: field, table } of referencesOf(resource)) {
    properties[referenceKey(field)] = {
      anyOf: [schemaRef(typeName(table)), { type: 'null' }],
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
  bodySchema(
    fields,
    kind === 'line-item' ? { idx: { ...idx, description: 'If absent, one after the largest of the parent.' } } : {},
  );

/** A body of fields, of which those that are not required may be left out. */
export function bodySchema(
  fields: readonly Field[],
  others: Readonly<Record<string, Json>> = {},
  act: 'create' | 'call' = 'create',
): JsonObject {
  const properties: Record<string, Json> = { ...others };
  for (const field of fields) {
    if (field.readOnly) continue;
    const given = field.default !== null && { default: field.default };
    const computed = field.moment && `By default, ${momentWords(field.moment, act)}.`;
    properties[field.name] = { ...withWords(fieldSchema(field, field.nullable, true), computed), ...given };
  }
  return closed(
    properties,
    fields.filter((field) => field.required).map(({ name }) => name),
  );
}

/** The body of an update, which may repeat read-only fields with the values that are stored. */
function updateSchema(resource: Resource): JsonObject {
  const { kind, fields } = resource;
  const isItem = kind === 'line-item';
  const properties: Record<string, Json> = { id: sentBack(idSchema(resource)), ...(isItem && { idx }) };
  for (const field of fields) {
    const schema = fieldSchema(field, field.nullable, true);
    const rule = field.immutable && changeWords[`${field.immutable}`];
    properties[field.name] = field.readOnly ? sentBack(schema) : withWords(schema, rule);
  }
  if (!isItem) {
    for (const [name, schema] of Object.entries(builtIn)) properties[name] = sentBack(schema);
  }
  return closed(properties, []);
}

/** The schemas of a resource: its record, the body of an update, and the list. That of a create is in its operation. */
export function resourceSchemas(resource: Resource): Record<string, JsonObject> {
  const { type, bodies } = identifiers(resource);
  const list = {
    data: { type: 'array', items: schemaRef(type), description: 'The records of this page.' },
    has_more: { type: 'boolean', description: 'Whether there are records after these.', examples: [false] },
    total: { type: 'integer', minimum: 0, description: 'How many records there are on all pages.', examples: [1] },
  };
  return {
    [type]: recordSchema(resource),
    ...(takes(resource, 'update') && { [bodies.update]: updateSchema(resource) }),
    ...(responds(resource, 'list') && {
      [`${type}List`]: open(list, Object.keys(list), `A page of ${resource.plural}.`),
    }),
  };
}
