import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { maxBodyBytes } from '../../runtime/model/limits.ts';
import type { Moment } from '../../runtime/model/moments.ts';
import { lineItem, record, singleton, type Table } from '../../runtime/model/table.ts';
import { defaultOperations, type Kind } from '../../runtime/model/operations.ts';
import { type Argument, Call, type Helper } from '../model/calls.ts';
import { callOf } from '../model/field-types.ts';
import { kindFields } from '../model/language.ts';
import { camelCase } from '../model/names.ts';
import { expandable, type Field, type Resource } from '../model/model.ts';

/** A field of a record and the call that makes its zod type. */
interface ShapeEntry {
  readonly name: string;
  readonly call: Call;
  /** The field of the spec; undefined for a built-in one. */
  readonly field?: Field;
}

/** The helpers of built-in fields. */
const builtInHelpers: Readonly<Record<string, Helper>> = {
  id: 'id',
  idx: 'position',
  created_at: 'timestamp',
  updated_at: 'timestamp',
};

/** The fields of a record, as the schema file has them: the timestamps come last. */
export function shapeOf({ kind, fields }: Resource): ShapeEntry[] {
  const builtIn = kindFields[kind].map((name) => ({ name, call: new Call(builtInHelpers[name] as Helper) }));
  const { before = [], after = [] } = Object.groupBy(builtIn, ({ name }) =>
    name.endsWith('_at') ? 'after' : 'before',
  );
  return [...before, ...fields.map((field) => ({ name: field.name, call: fieldCall(kind, field), field })), ...after];
}

function fieldCall(kind: Kind, field: Field): Call {
  const { renamedFrom } = field;
  const limited = limitedCall(field, presenceCall(kind, field));
  return renamedFrom.length === 0 ? limited : new Call('renamed', limited, ...renamedFrom);
}

/** The field with its limit on who sets it, and when. */
function limitedCall({ readOnly, immutable }: Field, entered: Call): Call {
  if (readOnly) return new Call('readOnly', entered);
  if (immutable) return new Call(immutable === true ? 'immutable' : 'onceSet', entered);
  return entered;
}

function presenceCall(kind: Kind, field: Field): Call {
  const type = callOf(field);
  if (field.required && field.nullable) return new Call('nullable', type);
  if (field.required && kind === 'singleton') return new Call('initiallyNull', type);
  const entered = field.required ? type : optionalCall(type, field);
  return field.backfill === null ? entered : new Call('backfilled', entered, field.backfill);
}

function optionalCall(type: Call, { nullable, default: value, moment }: Field): Call {
  const wrapper = nullable ? 'optional' : 'defaulted';
  if (moment) return new Call(wrapper, type, momentCall(moment));
  return new Call(wrapper, type, ...(value === null ? [] : [value]));
}

function momentCall(moment: Moment): Call {
  if (moment.at === 'now') return new Call('now');
  return new Call('today', ...(moment.timeZone === 'UTC' ? [] : [moment.timeZone]));
}

const tables = { record, lineItem, singleton };

/** The name of the runtime's function that makes a table of a kind. */
export const tableFunction = (kind: Kind) => camelCase(kind) as 'record' | 'lineItem' | 'singleton';

/** The options of a table in the schema file; undefined for those that have their default. */
export function tableOptions(resource: Resource) {
  const { kind, key, name, title, operations, transitions, maxBody, events, parent, unique, lock, renamedFrom } =
    resource;
  const items = expandable(resource).map((item) => [item.segment, item.name]);
  const moves = transitions.map(({ name: move, ...states }) => [move, states]);
  return {
    path: key,
    title: title === name.replaceAll('_', ' ') ? undefined : title,
    maxBody: maxBody === maxBodyBytes ? undefined : maxBody,
    events: events ? undefined : false,
    parent: parent && { field: parent.field, typeField: parent.typeField, table: parent.table },
    unique: unique?.map(({ fields, ignoreCase }) => ({ fields, ...(ignoreCase && { ignoreCase }) })),
    lock: lock && { ...lock },
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
  const make = tables[tableFunction(kind)] as (name: string, schema: z.ZodObject, options: object) => Table;
  const { columns: _, ...list } = resource.list;
  const options = { ...tableOptions(resource), list };
  return make(name, z.strictObject(Object.fromEntries(fields)), options);
}
