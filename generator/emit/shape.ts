import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { maxBodyBytes } from '../../runtime/model/limits.ts';
import { lineItem, record, singleton, type Table } from '../../runtime/model/table.ts';
import { defaultOperations, type Kind } from '../../runtime/model/operations.ts';
import { type Argument, Call, type Helper } from '../model/calls.ts';
import { callOf } from '../model/field-types.ts';
import { expandable, type Field, type Resource } from '../model/model.ts';

/** A field of a record and the call that makes its zod type. */
interface ShapeEntry {
  readonly name: string;
  readonly call: Call;
  /** The field of the spec; undefined for a built-in one. */
  readonly field?: Field;
}

const builtIn = (name: string, helper: Helper): ShapeEntry => ({ name, call: new Call(helper) });

const timestamps = [builtIn('created_at', 'timestamp'), builtIn('updated_at', 'timestamp')];

/** The built-in fields of each kind, before and after those of the spec. */
const builtInFields: Readonly<Record<Kind, readonly [before: readonly ShapeEntry[], after: readonly ShapeEntry[]]>> = {
  record: [[builtIn('id', 'id')], timestamps],
  'line-item': [[builtIn('id', 'id'), builtIn('idx', 'position')], []],
  singleton: [[builtIn('id', 'id')], timestamps],
};

/** The fields of a record, as the schema file has them. */
export function shapeOf({ kind, fields }: Resource): ShapeEntry[] {
  const [before, after] = builtInFields[kind];
  return [...before, ...fields.map((field) => ({ name: field.name, call: fieldCall(kind, field), field })), ...after];
}

function fieldCall(kind: Kind, field: Field): Call {
  const { renamedFrom } = field;
  const entered = presenceCall(kind, field);
  return renamedFrom.length === 0 ? entered : new Call('renamed', entered, ...renamedFrom);
}

function presenceCall(kind: Kind, field: Field): Call {
  const type = callOf(field);
  if (field.required && field.nullable) return new Call('nullable', type);
  if (field.required && kind === 'singleton') return new Call('initiallyNull', type);
  if (field.required) return field.backfill === null ? type : new Call('backfilled', type, field.backfill);
  const optional = new Call('optional', type, ...(field.default === null ? [] : [field.default]));
  return field.readOnly ? new Call('readOnly', optional) : optional;
}

const tables = { record, lineItem, singleton };

/** The name of the runtime's function that makes a table of each kind. */
export const tableFunctions = {
  record: 'record',
  'line-item': 'lineItem',
  singleton: 'singleton',
} as const satisfies Readonly<Record<Kind, keyof typeof tables>>;

/** The options of a table in the schema file; undefined for those that have their default. */
export function tableOptions(resource: Resource) {
  const { kind, key, name, title, operations, transitions, maxBody, parent, renamedFrom } = resource;
  const items = expandable(resource).map((item) => [item.segment, item.name]);
  const moves = transitions.map(({ name: move, ...states }) => [move, states]);
  return {
    path: key,
    title: title === name.replaceAll('_', ' ') ? undefined : title,
    maxBody: maxBody === maxBodyBytes ? undefined : maxBody,
    parent: parent && { field: parent.field, typeField: parent.typeField, table: parent.table },
    operations: isDeepStrictEqual(operations, defaultOperations(kind)) ? undefined : operations,
    transitions: moves.length === 0 ? undefined : (Object.fromEntries(moves) as Readonly<Record<string, Argument>>),
    expand: items.length === 0 ? undefined : (Object.fromEntries(items) as Readonly<Record<string, string>>),
    renamedFrom: renamedFrom.length === 0 ? undefined : renamedFrom,
  } satisfies Readonly<Record<string, Argument>>;
}

/** The table of a resource, as its schema file exports it. */
export function tableOf(resource: Resource): Table {
  const { kind, name } = resource;
  const fields = shapeOf(resource).map((entry) => [entry.name, entry.call.result() as z.ZodType]);
  const make = tables[tableFunctions[kind]] as (name: string, schema: z.ZodObject, options: object) => Table;
  const { columns: _, ...list } = resource.list;
  const options = { ...tableOptions(resource), list };
  return make(name, z.strictObject(Object.fromEntries(fields)), options);
}
