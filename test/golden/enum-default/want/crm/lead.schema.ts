// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, oneOf, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** A person or company that may become a customer. */
export const Lead = z.strictObject({
  id: id(),
  name: text({ max: 200 }),
  /** Where the lead stands in the funnel. */
  stage: optional(oneOf(['new', 'qualified', 'lost']), 'new'),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadUpdate = updatable(Lead);
export const leadTable = record('lead', Lead);
