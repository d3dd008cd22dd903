import type { FieldValue, Value } from '../model/fields.ts';
import { type ShownRecord, showsValue } from '../model/table.ts';
import { fitsChanged } from '../records/record-size.ts';
import { unique } from './clashes.ts';
import { trail } from './events.ts';
import { logic } from './logic.ts';
import { nextOwner, owners } from './owners.ts';
import { references } from './references.ts';
import { counters } from './row-counters.ts';
import { totalsOfParents } from './totals.ts';
import type { WritePart } from './write-part.ts';

/** `If-Match`, fields that cannot change, and the states that a transition starts from. */
const expectations: WritePart = {
  reject({ sql, write: { expected, versions }, stored: { record, version }, state }) {
    if (versions && !versions.includes(version)) return { outcome: 'stale', version };
    const isAsExpected = ([name, values]: [string, Value | readonly Value[]]): boolean =>
      [values].flat().some((value) => showsValue(sql.column(name), record[name] as FieldValue, value));
    const columns = Object.entries(expected).flatMap((entry) => (isAsExpected(entry) ? [] : [entry[0]]));
    if (columns.length === 0) return undefined;
    if (state === undefined) return { outcome: 'unexpected', columns };
    return { outcome: 'wrong_state', state: (record[state] ?? null) as Value };
  },
};

const size: WritePart = {
  behind: ({ sql, write, names }) => (names ? [sql.bytes(write.id)] : []),
  reject({ sql, stored, set, changing, names }, { behind }) {
    const bytes = names ? Number(behind[0]?.[0]?.[0]) : stored.bytes;
    const fits = changing.length === 0 || fitsChanged(sql.table, bytes, stored.record, set);
    return fits ? undefined : { outcome: 'record_too_large' };
  },
};

/** The fields that a transition requires. */
const required: WritePart = {
  reject({ requires, stored, set }) {
    const record = { ...stored.record, ...set } as ShownRecord;
    const columns = requires.filter((name) => record[name] === null);
    return columns.length > 0 ? { outcome: 'null_in_required', columns } : undefined;
  },
};

/** Every feature that has a share in changes. */
export const changeParts: readonly WritePart[] = [
  expectations,
  size,
  required,
  owners,
  logic,
  nextOwner,
  references,
  unique,
  counters,
  trail,
  totalsOfParents,
];
