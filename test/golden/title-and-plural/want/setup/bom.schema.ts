// Generated from spec/setup/bom.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** What something is made of. */
export const Bom = z.strictObject({
  id: field.id(),
  name: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Bom = z.infer<typeof Bom>;

export const BomCreate = creatable(Bom);
export const BomUpdate = updatable(Bom);
export const BomQuery = query(Bom);
export const bomTable = record('bom', Bom, {
  path: 'setup/bom',
  title: 'BOM',
  list: BomQuery,
});
