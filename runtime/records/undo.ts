import { ApiError } from '../model/errors.ts';
import { currentTime } from '../model/ids.ts';
import { type ColumnType, columnValue, type FieldValue, type Value } from '../model/fields.ts';
import { type Column, isAlwaysSet, presentValue, type Table } from '../model/table.ts';
import type { Fields, PreparedWrite } from './prepare.ts';

/** An event as the API shows it. */
export interface Event {
  readonly number: number;
  readonly time: string;
  readonly actor: string | null;
  readonly request_id: string | null;
  readonly operation: string;
  readonly resource: string;
  readonly record: string;
  readonly version: number;
  readonly changes: Readonly<Record<string, readonly [before: FieldValue, after: FieldValue]>>;
}

const isString = (shown: FieldValue): boolean => typeof shown === 'string';

/** Whether columns can hold what an event shows: the spec may have had another type then. */
const canHold: Readonly<Record<ColumnType, (shown: FieldValue) => boolean>> = {
  text: isString,
  decimal: isString,
  bigint: Number.isSafeInteger,
  'double precision': Number.isFinite,
  boolean: (shown) => typeof shown === 'boolean',
  json: Array.isArray,
};

/** @throws ApiError `changed_since` (409) */
function storedValue(column: Column, shown: FieldValue): Value {
  const { name, type } = column;
  if (shown === null || canHold[type](shown)) return columnValue(presentValue(column, shown));
  throw new ApiError('changed_since', `The field ${name} had another type at the time of the event.`);
}

/** @param side that before the event, or after it */
const valuesOf = ({ columns, logic }: Table, { changes }: Event, side: 0 | 1): Record<string, Value> =>
  Object.fromEntries(
    columns.flatMap((column) => {
      const { name } = column;
      const change = changes[name];
      const isOwn = isAlwaysSet({ name }) || Object.hasOwn(logic?.computed ?? {}, name);
      return change && !isOwn ? [[name, storedValue(column, change[side])]] : [];
    }),
  );

/** The record before an event, as errors quote it. */
const bodyBefore = ({ changes }: Event): Fields =>
  Object.fromEntries(Object.entries(changes).map(([name, [before]]) => [name, before]));

/** Prepares to store a record again that was deleted, under its id. It fails with `stale` if it is there. @throws as `storedValue` */
export function restore(table: Table, event: Event): PreparedWrite<'written'> {
  const { changes, version, record: id } = event;
  const values = table.columns.map((column) =>
    column.name === 'updated_at' ? currentTime() : storedValue(column, changes[column.name]?.[0] ?? null),
  );
  const write = { op: 'insert', table: table.name, values, version: version + 1 } as const;
  return { table, write, success: 'written', body: bodyBefore(event), id };
}

/** Prepares to reverse what an event has done. It fails if the record is no longer as the event left it. @throws as `storedValue` */
export function reverse(table: Table, event: Event): PreparedWrite {
  const { record: id, operation, version } = event;
  const time = currentTime();
  if (operation === 'delete') return restore(table, event);
  if (operation === 'create') {
    const write = { op: 'delete', table: table.name, id, time, versions: [version], isAlone: true } as const;
    return { table, write, success: 'deleted', id };
  }
  const [set, expected] = [valuesOf(table, event, 0), valuesOf(table, event, 1)];
  const isTakenBack = table.transitions.some(({ name }) => name === operation);
  const write = {
    ...({ op: 'update', table: table.name, id, set, expected, time } as const),
    ...(isTakenBack && { isTakenBack }),
  };
  return { table, write, success: 'written', body: bodyBefore(event) };
}
