// Generated from spec/kinds/z.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { field, optional, singleton, updatable } from '../../runtime/index.ts';

/** The last letter. */
export const Z = z.strictObject({
  id: field.id(),
  env: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Z = z.infer<typeof Z>;

export const ZUpdate = updatable(Z);
export const zTable = singleton('z', Z, { path: 'kinds/z' });
