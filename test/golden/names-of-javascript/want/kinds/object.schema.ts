// Generated from spec/kinds/object.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, query, record, updatable } from '../../runtime/index.ts';

/** A thing that is sold. */
export const Object = z.strictObject({
  id: field.id(),
  string: field.text(),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Object = z.infer<typeof Object>;

export const ObjectCreate = creatable(Object);
export const ObjectUpdate = updatable(Object);
export const ObjectQuery = query(Object);
export const objectTable = record('object', Object, { path: 'kinds/object', list: ObjectQuery });
