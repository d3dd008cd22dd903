// Generated from spec/help-desk/archive.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { id, optional, record, text, timestamp } from '../../runtime/index.ts';

/** A question of an earlier year. */
export const Archive = z.strictObject({
  id: id(),
  text: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Archive = z.infer<typeof Archive>;

export const archiveTable = record('archive', Archive);
