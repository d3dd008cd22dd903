// Generated from spec/kinds/z.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { id, optional, singleton, text, timestamp, updatable } from '../../runtime/index.ts';

/** The last letter. */
export const Z = z.strictObject({
  id: id(),
  env: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Z = z.infer<typeof Z>;

export const ZUpdate = updatable(Z);
export const zTable = singleton('z', Z);
