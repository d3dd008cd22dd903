import { maxTextLength } from '../../../runtime/limits.ts';
import type { Field, FieldType, Resource } from '../../model.ts';
import { identifiers } from '../identifiers.ts';
import type { Json } from '../json.ts';
import { closed, idx, type JsonObject, schemaRef } from './reference.ts';

type TypeOf<T extends FieldType['type']> = Extract<FieldType, { type: T }>;

/** The JSON Schema of each type. A new type does not compile until it has a row here. */
const schemaOf: { [T in FieldType['type']]: (type: TypeOf<T>) => JsonObject } = {
  text: ({ minLength, maxLength, pattern }) => ({
    type: 'string',
    ...(minLength !== undefined && { minLength }),
    maxLength: maxLength ?? maxTextLength,
    ...(pattern !== undefined && { pattern }),
  }),
  date: () => ({ type: 'string', format: 'date' }),
  'date-time': () => ({ type: 'string', format: 'date-time' }),
  enum: ({ values }) => ({ type: 'string', enum: values }),
  integer: ({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }) => ({
    type: 'integer',
    minimum: min,
    maximum: max,
  }),
  number: ({ min, max }) => ({
    type: 'number',
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
  }),
  boolean: () => ({ type: 'boolean' }),
};

function fieldSchema(field: Field, nullable: boolean): JsonObject {
  const schema = (schemaOf[field.type] as (type: FieldType) => JsonObject)(field);
  const widened = {
    ...schema,
    ...(nullable && { type: [schema.type as string, 'null'] }),
    ...(nullable && field.type === 'enum' && { enum: [...field.values, null] }),
  };
  return { ...widened, ...(field.doc !== undefined && { description: field.doc }) };
}

const given = {
  id: { type: 'string', readOnly: true, description: 'Set by the service.' },
  created_at: { type: 'string', format: 'date-time', readOnly: true, description: 'When the record was created.' },
  updated_at: { type: 'string', format: 'date-time', readOnly: true, description: 'When the record last changed.' },
} as const;

/** The schemas of a resource: its record, and the bodies and the list that go with its operations. */
export function resourceSchemas(resource: Resource): JsonObject {
  const { kind, fields, operations, doc } = resource;
  const { type, create, update } = identifiers(resource);
  const isItem = kind === 'line-item';
  const timestamps = isItem ? {} : { created_at: given.created_at, updated_at: given.updated_at };

  const record: Record<string, Json> = { id: given.id, ...(isItem && { idx }) };
  const created: Record<string, Json> = isItem
    ? { idx: { ...idx, description: 'One after the largest of the parent, where it is absent.' } }
    : {};
  // What an update sends back must be what is stored.
  const updated: Record<string, Json> = { ...record };
  for (const field of fields) {
    const isNullable = field.nullable || kind === 'singleton';
    const readOnly = field.readOnly && { readOnly: true };
    record[field.name] = { ...fieldSchema(field, isNullable), ...readOnly };
    updated[field.name] = { ...fieldSchema(field, field.nullable), ...readOnly };
    if (field.readOnly) continue;
    created[field.name] = {
      ...fieldSchema(field, field.nullable),
      ...(field.default !== null && { default: field.default }),
    };
  }
  Object.assign(record, timestamps);
  Object.assign(updated, timestamps);

  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const list = {
    data: { type: 'array', items: schemaRef(type) },
    has_more: { type: 'boolean', description: 'Whether there are records after these.' },
    total: { type: 'integer', minimum: 0, description: 'How many records there are on all pages.' },
  };
  return {
    [type]: closed(record, Object.keys(record), doc),
    ...(operations.includes('create') && { [create]: closed(created, required) }),
    ...(operations.includes('update') && { [update]: closed(updated, []) }),
    ...(operations.includes('list') && { [`${type}List`]: closed(list, Object.keys(list)) }),
  };
}
