// Generated from spec/crm/part.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { counted, creatable, field, lineItem, listed, query, updatable } from '../../runtime/index.ts';

/** A part of a list that is kept elsewhere. */
export const Part = z.strictObject({
  id: field.id(),
  idx: field.position(),
  list_id: field.text(),
});
export type Part = z.infer<typeof Part>;

export const PartCreate = creatable(Part);
export const PartUpdate = updatable(Part);
export const PartQuery = query(Part);
export const partTable = lineItem('part', Part, { path: 'crm/part', parent: { field: 'list_id' } }, [
  listed(PartQuery),
  counted({ by: ['list_id'] }),
]);
