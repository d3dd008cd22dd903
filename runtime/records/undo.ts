import { currentTime } from '../model/ids.ts';
import { columnValue, type FieldValue, type Value } from '../model/fields.ts';
import { isAlwaysSet, type Table } from '../model/table.ts';
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

/** @param side that before the event, or after it */
const valuesOf = ({ columns, logic }: Table, { changes }: Event, side: 0 | 1): Record<string, Value> =>
  Object.fromEntries(
    columns.flatMap(({ name }) => {
      const change = changes[name];
      const isOwn = isAlwaysSet({ name }) || Object.hasOwn(logic?.computed ?? {}, name);
      return change && !isOwn ? [[name, columnValue(change[side])]] : [];
    }),
  );

/** The record before an event, as errors quote it. */
const bodyBefore = ({ changes }: Event): Fields =>
  Object.fromEntries(Object.entries(changes).map(([name, [before]]) => [name, before]));

/** Prepares to store a record again that was deleted, under its id. It fails with `stale` if it is there. */
export function restore(table: Table, event: Event): PreparedWrite<'written'> {
  const { changes, version, record: id } = event;
  const values = table.columns.map(({ name }) => {
    if (name === 'updated_at') return currentTime();
    return columnValue(changes[name]?.[0] ?? null);
  });
  const write = { op: 'insert', table: table.name, values, version: version + 1 } as const;
  return { table, write, success: 'written', body: bodyBefore(event), id };
}

/** Prepares to reverse what an event has done. It fails if the record is no longer as the event left it. */
export function reverse(table: Table, event: Event): PreparedWrite {
  const { record: id, operation, version } = event;
  const time = currentTime();
  if (operation === 'delete') return restore(table, event);
  if (operation === 'create') {
    const write = { op: 'delete', table: table.name, id, time, versions: [version], isAlone: true } as const;
    return { table, write, success: 'deleted', id };
  }
  const [set, expected] = [valuesOf(table, event, 0), valuesOf(table, event, 1)];
  const write = { op: 'update', table: table.name, id, set, expected, time } as const;
  return { table, write, success: 'written', body: bodyBefore(event) };
}
