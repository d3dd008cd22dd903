// Generated from spec/kinds/record.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, expands, field, listed, optional, query, record, updatable } from '../../runtime/index.ts';

/** A disc with music. */
export const Record = z.strictObject({
  id: field.id(),
  number: optional(field.integer()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Record = z.infer<typeof Record>;

export const RecordCreate = creatable(Record);
export const RecordUpdate = updatable(Record);
export const RecordQuery = query(Record);
export const recordTable = record('record', Record, { path: 'kinds/record' }, [
  listed(RecordQuery),
  expands('promise', 'promise'),
]);
