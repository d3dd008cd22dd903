// Generated from spec/kinds/record.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, integer, optional, record, timestamp, updatable } from '../../runtime/index.ts';

/** A disc with music. */
export const Record = z.strictObject({
  id: id(),
  number: optional(integer()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Record = z.infer<typeof Record>;

export const RecordCreate = creatable(Record);
export const RecordUpdate = updatable(Record);
export const recordTable = record('record', Record);
