// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** A person\u200b who buys. */
export const Lead = z.strictObject({
  id: field.id(),
  /** \u2066isolated\u2069 text */
  size: optional(field.oneOf([' small', 'large ', 'me\u202ed', 'x y', '👩‍👧'])),
  code: optional(field.text({ pattern: /^a\u2067b$/u }), 'a\u2067b'),
  /** a\u200bb */
  hidden: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadUpdate = updatable(Lead);
export const LeadQuery = query(Lead);
export const leadTable = record('lead', Lead, { path: 'crm/lead', list: LeadQuery });
