// Generated from spec/crm/visit.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, nullable, optional, query, readOnly, record, updatable } from '../../runtime/index.ts';

/** A visit that a salesperson pays to a customer. */
export const Visit = z.strictObject({
  id: field.id(),
  reference: field.uuid(),
  day: nullable(field.date()),
  starts_at: optional(field.time(), '09:00:00+01:00'),
  booked_at: optional(field.dateTime()),
  /** Who is to be met. */
  contact: optional(field.email()),
  directions: readOnly(optional(field.uri(), 'https://example.com/map')),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Visit = z.infer<typeof Visit>;

export const VisitCreate = creatable(Visit);
export const VisitUpdate = updatable(Visit);
export const VisitQuery = query(Visit);
export const visitTable = record('visit', Visit, { path: 'crm/visit', list: VisitQuery });
