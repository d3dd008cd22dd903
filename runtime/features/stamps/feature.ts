import type { Feature } from '../../kernel/feature.ts';
import type { z } from 'zod';
import { changed, type FieldValue, nullable, type Server, type Value } from '../../kernel/model/fields.ts';
import { type Moment, valueOfMoment } from '../../kernel/model/moments.ts';
import { showsValue, type Table } from '../../kernel/model/table.ts';
import { laterTime } from '../../kernel/sql/changes.ts';
import type { LockedRow } from '../../kernel/sql/table-sql.ts';
import type { ChangeRequest, ColumnValues } from '../../kernel/sql/write-part.ts';

/** Whether a request changes the record: computed fields alone follow from other records. A transition always does. */
const isOfRequest = ({ sql, given, state }: ChangeRequest, stored?: LockedRow): boolean =>
  !stored ||
  state !== undefined ||
  Object.keys(given).some(
    (name) => !showsValue(sql.column(name), stored.record[name] as FieldValue, given[name] as Value),
  );

const stamped = ({ columns }: Pick<Table, 'columns'>): string[] =>
  columns.flatMap(({ name, always: isStamped }) => (isStamped ? [name] : []));

function stampsOf({ sql, write }: ChangeRequest, stored?: LockedRow): ColumnValues {
  const { actor, time } = write.origin;
  const circumstances = { actor, time: write.op === 'insert' ? time : write.time };
  const stamps = sql.table.columns.flatMap(({ name, always: isStamped, moment }): [string, Value][] => {
    if (!isStamped) return [];
    const value = valueOfMoment(moment as Moment, circumstances);
    return [[name, moment && 'at' in moment ? laterTime(stored?.record[name], String(value)) : value]];
  });
  return Object.fromEntries(stamps);
}

/** Fields that each request which changes the record sets: to who makes it, or to its time. */
export const stamps: Feature = {
  name: 'stamps',
  write: {
    // A create has them among its values.
    isFor: (kind, table) => kind !== 'create' && kind !== 'delete' && stamped(table).length > 0,
    sets: stamped,
    // oxlint-disable-next-line require-yield
    *derive(change, stored) {
      return { computed: isOfRequest(change, stored) ? stampsOf(change, stored) : {} };
    },
  },
};

/** A field that each request which changes the record sets. It is null in rows that are older than it. */
export const always = <S extends z.ZodType<FieldValue>>(field: S, moment: Moment): z.ZodNullable<S> & Server =>
  changed(nullable(field), { presence: 'server', moment, always: true });
