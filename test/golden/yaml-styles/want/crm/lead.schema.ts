// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, optional, query, record, updatable } from '../../runtime/index.ts';

/** A person who may buy something. */
export const Lead = z.strictObject({
  id: field.id(),
  /** The whole name. */
  name: field.text(),
  notes: optional(field.text(), 'ab'),
  address: optional(field.text(), 'Street\nCity\n'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadUpdate = updatable(Lead);
export const LeadQuery = query(Lead);
export const leadTable = record('lead', Lead, { path: 'crm/lead' }, [listed(LeadQuery)]);
