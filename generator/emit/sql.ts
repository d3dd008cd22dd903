import { maxBodyBytes } from '../../runtime/limits.ts';
import type { ColumnType } from '../../runtime/schema/fields.ts';
import type { Column, Table } from '../../runtime/schema/table.ts';
import { createSchema } from '../../runtime/store/ddl.ts';
import type { FieldType, Resource, Service } from '../model.ts';

const columnTypeOf: Readonly<Record<FieldType['type'], ColumnType>> = {
  text: 'text',
  date: 'text',
  'date-time': 'text',
  enum: 'text',
  integer: 'bigint',
  number: 'double precision',
  boolean: 'boolean',
};

const given = (name: string, type: ColumnType): Column => ({ name, type, default: null, readOnly: true });

/** The table of a resource, as the runtime gets it from the generated code. */
export function tableOf(resource: Resource, tables: ReadonlyMap<string, string>): Table {
  const { name, title, kind, parent, maxBody } = resource;
  const timestamps = kind === 'line-item' ? [] : [given('created_at', 'text'), given('updated_at', 'text')];
  const columns = [
    given('id', 'text'),
    ...(kind === 'line-item' ? [given('idx', 'bigint')] : []),
    ...resource.fields.map((field) => ({
      name: field.name,
      type: columnTypeOf[field.type],
      default: field.default,
      readOnly: field.readOnly,
      ...(field.renamedFrom.length > 0 && { renamedFrom: field.renamedFrom }),
    })),
    ...timestamps,
  ];
  const table = parent?.resource === undefined ? undefined : tables.get(parent.resource);
  const where = parent && { field: parent.field, ...(table !== undefined && { table }) };
  return {
    name,
    title,
    kind,
    columns,
    maxBody: maxBody ?? maxBodyBytes,
    ...(resource.renamedFrom.length > 0 && { renamedFrom: resource.renamedFrom }),
    ...(where && { parent: where }),
  };
}

/** `schema.sql`: the tables that a new database gets, for readers; the server makes them by itself. */
export function emitSql(service: Service, tables: ReadonlyMap<string, string>): string {
  const statements = createSchema(service.resources.map((resource) => tableOf(resource, tables)));
  return [
    '-- Generated from spec/. Edit the spec, then run `npm run generate`.',
    '-- The server makes these tables by itself, and adds to older ones what is new.',
    ...statements.map((statement) => `\n${statement};`),
    '',
  ].join('\n');
}
