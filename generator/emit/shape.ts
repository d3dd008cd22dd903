import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { maxBodyBytes } from '../../runtime/model/limits.ts';
import type { Moment } from '../../runtime/model/moments.ts';
import { lineItem, record, singleton, type Table } from '../../runtime/model/table.ts';
import { defaultOperations, type Kind } from '../../runtime/model/operations.ts';
import { Call, type Helper } from '../model/calls.ts';
import { callOf } from '../model/field-types.ts';
import { kindFields } from '../model/language.ts';
import { memoize } from '../model/memory.ts';
import { camelCase } from '../model/names.ts';
import { expandable, type Field, type Move, type Resource } from '../model/model.ts';

/** A field of a record and the call that makes its zod type. */
interface ShapeEntry {
  readonly name: string;
  readonly call: Call;
  /** The field of the spec; undefined for a built-in one. */
  readonly field?: Field;
}

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
  return [...before, ...entriesOf(kind, fields), ...after];
}

const entriesOf = (kind: Kind, fields: readonly Field[]): ShapeEntry[] =>
  fields.map((field) => ({ name: field.name, call: fieldCall(kind, field), field }));

/** The fields of the input of a transition. */
export const inputShapeOf = ({ input = [] }: Move): ShapeEntry[] => entriesOf('record', input);

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
  if (field.computed !== undefined && !field.nullable) return type;
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

/**
 * The options of a table in the schema file; undefined for those that have their default.
 *
 * @param inputOf makes the schema of the input of a transition
 */
export function tableOptions<Input>(resource: Resource, inputOf: (transition: Move) => Input) {
  const { kind, key, name, title, operations, transitions, maxBody, events, parent, unique, lock, renamedFrom } =
    resource;
  const items = expandable(resource).map((item) => [item.segment, item.name]);
  const moves = transitions.map((transition) => {
    const { name: move, input, rule: _, ...states } = transition;
    return [move, { ...states, ...(input && { input: inputOf(transition) }) }] as const;
  });
  return {
    path: key,
    title: title === name.replaceAll('_', ' ') ? undefined : title,
    maxBody: maxBody === maxBodyBytes ? undefined : maxBody,
    events: events ? undefined : false,
    parent: parent && { field: parent.field, typeField: parent.typeField, table: parent.table },
    unique: unique?.map(({ fields, ignoreCase }) => ({ fields, ...(ignoreCase && { ignoreCase }) })),
    lock: lock && { ...lock },
    operations: isDeepStrictEqual(operations, defaultOperations(kind)) ? undefined : operations,
    transitions: moves.length === 0 ? undefined : Object.fromEntries(moves),
    expand: items.length === 0 ? undefined : (Object.fromEntries(items) as Readonly<Record<string, string>>),
    renamedFrom: renamedFrom.length === 0 ? undefined : renamedFrom,
  };
}

/** The table of a resource, as its schema file exports it. */
export const tableOf = memoize((resource: Resource): Table => {
  const { kind, name } = resource;
  const schemaOf = (shape: readonly ShapeEntry[]): z.ZodObject =>
    z.strictObject(Object.fromEntries(shape.map((entry) => [entry.name, entry.call.result() as z.ZodType])));
  const make = tables[tableFunction(kind)] as (name: string, schema: z.ZodObject, options: object) => Table;
  const { columns: _, ...list } = resource.list;
  const options = { ...tableOptions(resource, (transition) => schemaOf(inputShapeOf(transition))), list };
  return make(name, schemaOf(shapeOf(resource)), options);
});
