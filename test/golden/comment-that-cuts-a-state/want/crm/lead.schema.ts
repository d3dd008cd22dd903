// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** What somebody has bought. */
export const Lead = z.strictObject({
  id: field.id(),
  status: optional(field.text(), 'draft'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadUpdate = updatable(Lead);
export const LeadQuery = query(Lead);
export const leadTable = record('lead', Lead, {
  path: 'crm/lead',
  transitions: { send: { field: 'status', from: ['draft'], to: 'sent' } },
  list: LeadQuery,
});
