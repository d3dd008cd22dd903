// Generated from spec/kinds/object.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** A thing that is sold. */
export const Object = z.strictObject({
  id: id(),
  string: text(),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Object = z.infer<typeof Object>;

export const ObjectCreate = creatable(Object);
export const ObjectUpdate = updatable(Object);
export const objectTable = record('object', Object);
