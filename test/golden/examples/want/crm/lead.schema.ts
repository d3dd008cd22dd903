// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** Someone who may buy something. */
export const Lead = z.strictObject({
  id: field.id(),
  stage: optional(field.oneOf(['open', 'won'])),
  due_on: optional(field.date()),
  /** A pattern has an example of its own. */
  code: optional(field.text({ min: 6, pattern: /^[A-Z]{2}-\d+$/u })),
  email: optional(field.text()),
  note: optional(field.text(), 'none'),
  score: optional(field.integer({ max: 9 })),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadUpdate = updatable(Lead);
export const LeadQuery = query(Lead);
export const leadTable = record('lead', Lead, { path: 'crm/lead', list: LeadQuery });
