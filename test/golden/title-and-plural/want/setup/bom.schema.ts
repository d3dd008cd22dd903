// Generated from spec/setup/bom.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** What something is made of. */
export const Bom = z.strictObject({
  id: id(),
  name: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Bom = z.infer<typeof Bom>;

export const BomCreate = creatable(Bom);
export const BomUpdate = updatable(Bom);
export const bomTable = record('bom', Bom, {
  title: 'BOM',
});
