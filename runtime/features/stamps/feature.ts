import type { Feature } from '../../kernel/feature.ts';
import type { FieldValue, Value } from '../../kernel/model/fields.ts';
import { type Moment, valueOfMoment } from '../../kernel/model/moments.ts';
import { isStamped, showsValue } from '../../kernel/model/table.ts';
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

function stampsOf({ sql, write }: ChangeRequest, stored?: LockedRow): ColumnValues {
  const { actor, time } = write.origin;
  const circumstances = { actor, time: write.op === 'insert' ? time : write.time };
  const stamps = sql.table.columns.flatMap(({ name, always, moment }): [string, Value][] => {
    if (!always) return [];
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
    isFor: (kind, table) => kind !== 'create' && kind !== 'delete' && isStamped(table),
    // oxlint-disable-next-line require-yield
    *derive(change, stored) {
      return { computed: isOfRequest(change, stored) ? stampsOf(change, stored) : {} };
    },
  },
};
