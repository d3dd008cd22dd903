// Generated from spec/help-desk/archive.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { field, optional, record } from '../../runtime/index.ts';

/** A question of an earlier year. */
export const Archive = z.strictObject({
  id: field.id(),
  text: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Archive = z.infer<typeof Archive>;

export const archiveTable = record('archive', Archive, {
  path: 'help-desk/archive',
  operations: ['retrieve'],
});
