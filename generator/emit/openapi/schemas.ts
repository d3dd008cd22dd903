import { schemaOf } from '../../model/field-types.ts';
import { expandable, type Field, type FieldType, itemsKey, type Resource } from '../../model/model.ts';
import { pascalCase } from '../../model/names.ts';
import { answers, takes } from '../../model/operations.ts';
import { identifiers } from '../identifiers.ts';
import type { Json } from '../json.ts';
import { exampleOf, idExample, timestampExample } from './examples.ts';
import { closed, idx, type JsonObject, open, schemaRef, withoutNull } from './reference.ts';

/** The schema of a value, in a request or in a response. */
export function valueSchema(type: FieldType, isSent: boolean): JsonObject {
  const schema = schemaOf(type);
  return {
    ...(Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as JsonObject),
    // No other number of JSON is a double.
    ...(schema.type === 'number' && { format: 'double' }),
    ...(isSent && type.type === 'text' && schema.pattern === undefined && { pattern: withoutNull }),
  };
}

function fieldSchema(field: Field, nullable: boolean, isSent: boolean): JsonObject {
  const { type, enum: values } = schemaOf(field);
  return {
    ...valueSchema(field, isSent),
    ...(nullable && { type: [type, 'null'] }),
    ...(nullable && values && { enum: [...values, null] }),
    ...(field.doc !== undefined && { description: field.doc }),
  };
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

/** The record as it is answered. */
function recordSchema(resource: Resource): JsonObject {
  const { kind, fields, doc, name } = resource;
  const isItem = kind === 'line-item';
  const properties: Record<string, Json> = {
    id: { ...idSchema(resource), readOnly: true, description: 'Set by the service.', examples: [idExample(name)] },
    ...(isItem && { idx: { ...idx, description: 'The place among the items of its parent.', examples: [1] } }),
  };
  for (const field of fields) {
    const example = exampleOf(field, resource);
    properties[field.name] = {
      ...fieldSchema(field, field.nullable || kind === 'singleton', false),
      ...(field.readOnly && { readOnly: true }),
      ...(example !== undefined && { examples: [example] }),
    };
  }
  if (!isItem) Object.assign(properties, builtIn);
  const always = Object.keys(properties);
  for (const { segment, name: item } of expandable(resource)) {
    properties[itemsKey(segment)] = {
      ...schemaRef(`${pascalCase(item)}List`),
      description: 'Where `expand` asks for it.',
    };
  }
  return open(properties, always, doc);
}

/** The body of a create. */
export function createSchema({ kind, fields }: Resource): JsonObject {
  const properties: Record<string, Json> = {
    ...(kind === 'line-item' && {
      idx: { ...idx, description: 'If absent, one after the largest of the parent.' },
    }),
  };
  for (const field of fields) {
    if (field.readOnly) continue;
    const given = field.default !== null && { default: field.default };
    properties[field.name] = { ...fieldSchema(field, field.nullable, true), ...given };
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
    properties[field.name] = field.readOnly ? sentBack(schema) : schema;
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
    ...(answers(resource, 'list') && {
      [`${type}List`]: open(list, Object.keys(list), `A page of ${resource.plural}.`),
    }),
  };
}
