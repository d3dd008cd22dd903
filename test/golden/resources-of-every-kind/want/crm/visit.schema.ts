// Generated from spec/crm/visit.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, lineItem, listed, optional, query, refers, unique, updatable } from '../../runtime/index.ts';

/** A visit to a customer. */
export const Visit = z.strictObject({
  id: field.id(),
  idx: field.position(),
  customer_id: field.text({ max: 100 }),
  day: field.date(),
  host_id: optional(refers('customer', { onDelete: 'restrict', expand: false })),
});
export type Visit = z.infer<typeof Visit>;

export const VisitCreate = creatable(Visit);
export const VisitUpdate = updatable(Visit);
export const VisitQuery = query(Visit);
export const visitTable = lineItem(
  'visit',
  Visit,
  { path: 'crm/visit', maxBody: 1536 * 1024, parent: { field: 'customer_id', table: 'customer' } },
  [listed(VisitQuery), unique(['customer_id', 'day']), unique(['host_id', 'day'])],
);
