import { schemaOf } from '../../field-types.ts';
import { expandable, type Field, itemsKey, type Resource } from '../../model.ts';
import { pascalCase } from '../../names.ts';
import { answers, takes } from '../../operations.ts';
import { identifiers } from '../identifiers.ts';
import type { Json } from '../../json.ts';
import { closed, idx, type JsonObject, schemaRef } from './reference.ts';

function fieldSchema(field: Field, nullable: boolean): JsonObject {
  const schema = schemaOf(field);
  return {
    ...(Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as JsonObject),
    ...(nullable && { type: [schema.type, 'null'] }),
    ...(nullable && schema.enum && { enum: [...schema.enum, null] }),
    ...(field.doc !== undefined && { description: field.doc }),
  };
}

const builtIn = {
  id: { type: 'string', readOnly: true, description: 'Set by the service.' },
  created_at: { type: 'string', format: 'date-time', readOnly: true, description: 'When the record was created.' },
  updated_at: { type: 'string', format: 'date-time', readOnly: true, description: 'When the record last changed.' },
} as const;

/** The schemas of a resource: its record, and the bodies and the list that go with its operations. */
export function resourceSchemas(resource: Resource): Record<string, JsonObject> {
  const { kind, fields, doc } = resource;
  const { type, bodies } = identifiers(resource);
  const isItem = kind === 'line-item';
  const timestamps = isItem ? {} : { created_at: builtIn.created_at, updated_at: builtIn.updated_at };

  const record: Record<string, Json> = { id: builtIn.id, ...(isItem && { idx }) };
  const created: Record<string, Json> = isItem
    ? { idx: { ...idx, description: 'One after the largest of the parent, where it is absent.' } }
    : {};
  // An update may repeat these, with the values that are stored.
  const updated: Record<string, Json> = { ...record };
  for (const field of fields) {
    const isNullable = field.nullable || kind === 'singleton';
    const readOnly = field.readOnly && { readOnly: true };
    record[field.name] = { ...fieldSchema(field, isNullable), ...readOnly };
    updated[field.name] = { ...fieldSchema(field, field.nullable), ...readOnly };
    if (field.readOnly) continue;
    const given = field.default !== null && { default: field.default };
    created[field.name] = { ...fieldSchema(field, field.nullable), ...given };
  }
  Object.assign(record, timestamps);
  Object.assign(updated, timestamps);

  const always = Object.keys(record);
  for (const { segment, name } of expandable(resource)) {
    record[itemsKey(segment)] = { ...schemaRef(`${pascalCase(name)}List`), description: 'Where `expand` asks for it.' };
  }
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const list = {
    data: { type: 'array', items: schemaRef(type) },
    has_more: { type: 'boolean', description: 'Whether there are records after these.' },
    total: { type: 'integer', minimum: 0, description: 'How many records there are on all pages.' },
  };
  return {
    [type]: closed(record, always, doc),
    ...(takes(resource, 'create') && { [bodies.create]: closed(created, required) }),
    ...(takes(resource, 'update') && { [bodies.update]: closed(updated, []) }),
    ...(answers(resource, 'list') && { [`${type}List`]: closed(list, Object.keys(list)) }),
  };
}
