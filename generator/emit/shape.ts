import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { maxBodyBytes } from '../../runtime/kernel/model/limits.ts';
import type { Moment } from '../../runtime/kernel/model/moments.ts';
import { lineItem, listed, record, singleton, type Table, type Trait } from '../../runtime/kernel/model/table.ts';
import { defaultOperations, type Kind } from '../../runtime/kernel/model/operations.ts';
import { type Argument, Call, type Helper } from '../model/calls.ts';
import { callOf } from '../model/field-types.ts';
import { kindFields } from '../model/language.ts';
import { memoize } from '../model/memory.ts';
import { camelCase } from '../model/names.ts';
import { expandable, type Field, hasCounts, type Move, type Resource } from '../model/model.ts';

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
  const limited =
    field.always && field.moment
      ? new Call('always', callOf(field), momentCall(field.moment))
      : limitedCall(field, presenceCall(kind, field));
  return renamedFrom.length === 0 ? limited : new Call('renamed', limited, ...renamedFrom);
}

/** The field with its limit on who sets it, and when. */
function limitedCall({ readOnly, immutable, sequence }: Field, entered: Call): Call {
  if (sequence) return entered;
  if (readOnly) return new Call('readOnly', entered);
  if (immutable) return new Call(immutable === true ? 'immutable' : 'onceSet', entered);
  return entered;
}

function presenceCall(kind: Kind, field: Field): Call {
  const entered = enteredCall(kind, field);
  return field.copies ? new Call('copied', entered, { ...field.copies }) : entered;
}

function enteredCall(kind: Kind, field: Field): Call {
  const type = callOf(field);
  const { sequence } = field;
  if (sequence) return new Call('sequence', sequence.pattern, ...zoneOf(sequence));
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
  if ('by' in moment) return new Call('actor');
  if (moment.at === 'now') return new Call('now');
  return new Call('today', ...zoneOf(moment));
}

const zoneOf = ({ timeZone }: { readonly timeZone: string }): string[] => (timeZone === 'UTC' ? [] : [timeZone]);

const tables = { record, lineItem, singleton };

/** The name of the runtime's function that makes a table of a kind. */
export const tableFunction = (kind: Kind) => camelCase(kind) as 'record' | 'lineItem' | 'singleton';

/** The options of a table in the schema file; undefined for those that have their default. */
export function tableOptions(resource: Resource) {
  const { kind, key, name, title, operations, maxBody, events, parent, renamedFrom } = resource;
  return {
    path: key,
    title: title === name.replaceAll('_', ' ') ? undefined : title,
    maxBody: maxBody === maxBodyBytes ? undefined : maxBody,
    events: events ? undefined : false,
    parent: parent && { field: parent.field, typeField: parent.typeField, table: parent.table },
    operations: isDeepStrictEqual(operations, defaultOperations(kind)) ? undefined : operations,
    renamedFrom: renamedFrom.length === 0 ? undefined : renamedFrom,
  };
}

/** The counts and sums of a resource's list, without a part that names nothing. */
const countsOf = ({ list: { count, sum } }: Resource): Readonly<Record<string, readonly string[]>> => ({
  ...(count.length > 0 && { by: count }),
  ...(sum.length > 0 && { sum }),
});

/**
 * The traits of a table in the schema file, besides its list and its logic.
 *
 * @param inputOf makes the schema of the input of a transition
 */
export function traitsOf(resource: Resource, inputOf: (transition: Move) => Argument): Call[] {
  const { transitions, unique, lock, archive } = resource;
  return [
    ...(hasCounts(resource) ? [new Call('counted', countsOf(resource))] : []),
    ...(unique ?? []).map(({ fields, ignoreCase }) => {
      const [first = '', ...otherFields] = fields;
      return new Call('unique', otherFields.length === 0 ? first : fields, ...(ignoreCase ? [{ ignoreCase }] : []));
    }),
    ...(lock ? [new Call('locked', lock.field, lock.states, ...(lock.except ? [{ except: lock.except }] : []))] : []),
    ...(archive ? [new Call('archived')] : []),
    ...transitions.map((move) => {
      const { name, input, rule: _, ...states } = move;
      return new Call('transition', name, { ...states, ...(input && { input: inputOf(move) }) });
    }),
    ...expandable(resource).map(
      ({ segment, name, field }) => new Call('expands', segment, name, ...(field === undefined ? [] : [field])),
    ),
  ];
}

/** The table of a resource, as its schema file exports it. */
export const tableOf = memoize((resource: Resource): Table => {
  const { kind, name } = resource;
  const schemaOf = (shape: readonly ShapeEntry[]): z.ZodObject =>
    z.strictObject(Object.fromEntries(shape.map((entry) => [entry.name, entry.call.result() as z.ZodType])));
  const make = tables[tableFunction(kind)] as (
    name: string,
    schema: z.ZodObject,
    options: object,
    traits: Trait[],
  ) => Table;
  const inputOf = (move: Move): Argument => schemaOf(inputShapeOf(move)) as unknown as Argument;
  const traits = traitsOf(resource, inputOf).map((trait) => trait.result() as Trait);
  const options = Object.entries(tableOptions(resource)).filter(([, value]) => value !== undefined);
  const { columns: _, count: __, sum: ___, ...list } = resource.list;
  return make(name, schemaOf(shapeOf(resource)), Object.fromEntries(options), [listed(list), ...traits]);
});
