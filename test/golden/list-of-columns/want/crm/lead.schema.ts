// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** A lead. */
export const Lead = z.strictObject({
  id: field.id(),
  status: optional(field.text()),
  name: field.text(),
  email: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadUpdate = updatable(Lead);
export const LeadQuery = query(Lead, {
  filter: ['status'],
});
export const leadTable = record('lead', Lead, { path: 'crm/lead', list: LeadQuery });
