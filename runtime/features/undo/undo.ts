import { ApiError } from '../../kernel/model/errors.ts';
import { currentTime } from '../../kernel/model/ids.ts';
import { type Action, operationsOf, type Transition } from '../../kernel/model/operations.ts';
import { type ColumnType, columnValue, type RecordValue, type Value } from '../../kernel/model/fields.ts';
import { type Column, isAlwaysSet, isFree, isIdOf, presentValue, type Table } from '../../kernel/model/table.ts';
import type { ColumnValues } from '../../kernel/sql/write-part.ts';
import type { Fields, PreparedWrite } from '../../kernel/records/prepare.ts';
import { JsonText } from '../../kernel/values/json-text.ts';
import { changedSince } from './restored.ts';
import type { Event } from '../trail/events.ts';

const isString = (shown: RecordValue): boolean => typeof shown === 'string';

/** Whether columns can hold what an event shows: the spec may have had another type then. */
const canHold: Readonly<Record<ColumnType, (shown: RecordValue) => boolean>> = {
  text: isString,
  decimal: isString,
  bigint: Number.isSafeInteger,
  'double precision': Number.isFinite,
  boolean: (shown) => typeof shown === 'boolean',
  json: (shown) => typeof shown === 'object',
};

/** @throws ApiError `changed_since` (409) */
function storedValue(column: Column, shown: RecordValue): Value {
  const { name, type } = column;
  const isHeld = isFree(column) ? shown instanceof JsonText : type !== 'json' || Array.isArray(shown);
  if (shown === null || (isHeld && canHold[type](shown))) return columnValue(presentValue(column, shown));
  throw new ApiError(changedSince, `The field ${name} had another type at the time of the event.`);
}

/** The table of the record of an event: the resource may have had another name or path then. */
export const tableOf = (tables: readonly Table[], { record, resource }: Event): Table | undefined =>
  tables.find((table) => isIdOf(table, record)) ?? tables.find(({ path }) => path === resource);

/** An event as if its fields had had their present names; a former name that another field has now is that of the other. */
export function asNamedNow({ columns }: Table, event: Event): Event {
  const has = (name: string): boolean => Object.hasOwn(event.changes, name);
  const renamed = columns.flatMap(({ name, renamedFrom = [] }) => {
    const former = renamedFrom.find((one) => has(one) && columns.every((other) => other.name !== one));
    const change = event.changes[former ?? ''];
    return change && !has(name) ? [[name, change] as const] : [];
  });
  return { ...event, changes: { ...event.changes, ...Object.fromEntries(renamed) } };
}

/** @throws ApiError `changed_since` (409) if the record would show null where it must not */
function restoredValue({ kind, logic }: Table, column: Column, shown: RecordValue): Value {
  const { name, isNullable, backfill, isAssigned } = column;
  // Required settings are null until they are set.
  const isOwn = kind === 'singleton' || isAssigned || isAlwaysSet(column) || Object.hasOwn(logic?.computed ?? {}, name);
  if (shown === null && !isNullable && backfill === undefined && !isOwn)
    throw new ApiError(changedSince, `The field ${name} is required now, and had no value before the event.`);
  return storedValue(column, shown);
}

/** @param side that before the event, or after it */
const valuesOf = (table: Table, { changes }: Event, side: 0 | 1): Record<string, Value> =>
  Object.fromEntries(
    table.columns.flatMap((column) => {
      const { name, always, isAssigned } = column;
      const change = changes[name];
      const isOwn = always || isAssigned || isAlwaysSet({ name }) || Object.hasOwn(table.logic?.computed ?? {}, name);
      if (!change || isOwn) return [];
      return [[name, side === 0 ? restoredValue(table, column, change[0]) : storedValue(column, change[1])]];
    }),
  );

/** The record before an event, as errors quote it. */
const bodyBefore = ({ changes }: Event): Fields =>
  Object.fromEntries(Object.entries(changes).map(([name, [before]]) => [name, before]));

/** Prepares to store a record again that was deleted, under its id. It fails with `stale` if it is there. @throws as `storedValue` */
export function restore(table: Table, event: Event): PreparedWrite<'written'> {
  const { changes, version, record: id } = event;
  const values = table.columns.map((column) =>
    column.name === 'updated_at' ? currentTime() : restoredValue(table, column, changes[column.name]?.[0] ?? null),
  );
  const write = { op: 'insert', table: table.name, values, version: version + 1 } as const;
  return { table, write, success: 'written', body: bodyBefore(event), id };
}

/**
 * The actions that reversing an event takes. Read-only fields of transitions, and `archived_at`, take that of transitions, whatever
 * the event is: the undo of a transition is an update, whose undo makes the transition again.
 */
export function actionsOf({ columns, unlistedBy, ...table }: Table, { operation, changes }: Event): readonly Action[] {
  const action = operationsOf(table).find(({ name }) => name === operation)?.action ?? 'write';
  if (action !== 'write' || operation === 'create' || operation === 'delete') return [action];
  const moved = new Set([
    unlistedBy,
    ...table.transitions.flatMap(({ field, set = {} }) => [field, ...Object.keys(set)]),
  ]);
  const isMoved = columns.some(({ name, readOnly }) => readOnly && moved.has(name) && Object.hasOwn(changes, name));
  return isMoved ? ['write', 'transition'] : ['write'];
}

/**
 * The transition that an event has taken back, if the state can be set by no other write: if there are several, the one that sets the
 * most of the fields which the event has changed.
 */
function takenBack(
  { columns, transitions }: Table,
  { operation }: Event,
  [set, after]: readonly [ColumnValues, ColumnValues],
): Transition | undefined {
  if (operation !== 'update') return undefined;
  const isChanged = (name: string): boolean => Object.hasOwn(set, name);
  const isClosed = (field: string): boolean => columns.some(({ name, readOnly }) => name === field && readOnly);
  const possible = transitions.filter(
    ({ field, from, to }) => isClosed(field) && set[field] === to && from.includes(String(after[field])),
  );
  const fieldsOf = (transition: Transition): string[] => Object.keys(transition.set ?? {});
  const fitting = possible.filter((transition) => fieldsOf(transition).every(isChanged));
  return fitting.toSorted((a, b) => fieldsOf(b).length - fieldsOf(a).length)[0] ?? possible[0];
}

/**
 * Prepares to reverse what an event has done: what took a transition back by that transition, with its conditions, hook and event. It
 * fails if the record is no longer as the event left it. @throws as `storedValue`
 */
export function reverse(table: Table, event: Event): PreparedWrite {
  const { record: id, operation, version } = event;
  const time = currentTime();
  if (operation === 'delete') return restore(table, event);
  if (operation === 'create') {
    const write = { op: 'delete', table: table.name, id, time, versions: [version], isAlone: true } as const;
    return { table, write, success: 'deleted', id };
  }
  const sides = [valuesOf(table, event, 0), valuesOf(table, event, 1)] as const;
  const [set, after] = sides;
  const body = bodyBefore(event);
  const repeated = takenBack(table, event, sides);
  if (repeated) {
    const { input: _, ...move } = repeated;
    const write = {
      op: 'transition',
      table: table.name,
      id,
      ...move,
      set: {},
      values: set,
      expected: after,
      time,
    } as const;
    return { table, write, success: 'written', body };
  }
  const transition = table.transitions.find(({ name }) => name === operation);
  // One that has kept the state can only be taken back where it can be made: another state may lock the record.
  const expected = { ...(transition && { [transition.field]: transition.from }), ...after };
  const write = {
    ...({ op: 'update', table: table.name, id, set, expected, time } as const),
    ...(transition && ({ isTakenBack: true } as const)),
  };
  return { table, write, success: 'written', body };
}
