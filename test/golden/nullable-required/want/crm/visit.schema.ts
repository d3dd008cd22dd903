// Generated from spec/crm/visit.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, nullable, query, record, updatable } from '../../runtime/index.ts';

/** A visit to a customer. */
export const Visit = z.strictObject({
  id: field.id(),
  guest: nullable(field.text()),
  day: nullable(field.date()),
  /** How it went. */
  mood: nullable(field.oneOf(['good', 'bad'])),
  length: nullable(field.integer({ min: 0 })),
  is_paid: nullable(field.boolean()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Visit = z.infer<typeof Visit>;

export const VisitCreate = creatable(Visit);
export const VisitUpdate = updatable(Visit);
export const VisitQuery = query(Visit);
export const visitTable = record('visit', Visit, { path: 'crm/visit', list: VisitQuery });
