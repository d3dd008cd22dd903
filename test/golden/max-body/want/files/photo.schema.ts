// Generated from spec/files/photo.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, query, record, updatable } from '../../runtime/index.ts';

/** A picture. */
export const Photo = z.strictObject({
  id: field.id(),
  data: field.text(),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Photo = z.infer<typeof Photo>;

export const PhotoCreate = creatable(Photo);
export const PhotoUpdate = updatable(Photo);
export const PhotoQuery = query(Photo);
export const photoTable = record('photo', Photo, {
  path: 'files/photo',
  maxBody: 1536 * 1024,
  list: PhotoQuery,
});
