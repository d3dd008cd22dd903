// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** A person who may buy something. */
export const Lead = z.strictObject({
  id: id(),
  /** The whole name. */
  name: text(),
  notes: optional(text(), 'ab'),
  address: optional(text(), 'Street\nCity\n'),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadUpdate = updatable(Lead);
export const leadTable = record('lead', Lead);
