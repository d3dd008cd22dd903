// Generated from spec/files/photo.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** A picture. */
export const Photo = z.strictObject({
  id: id(),
  data: text(),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Photo = z.infer<typeof Photo>;

export const PhotoCreate = creatable(Photo);
export const PhotoUpdate = updatable(Photo);
export const photoTable = record('photo', Photo, {
  maxBody: 1536 * 1024,
});
