// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, integer, oneOf, optional, record, text, timestamp } from '../../runtime/index.ts';

/** A person who may buy something. */
export const Lead = z.strictObject({
  id: id(),
  name: text(),
  stage: optional(oneOf(['new', 'old']), 'new'),
  next_stage: optional(oneOf(['new', 'old']), 'new'),
  age: optional(integer(), 16),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const leadTable = record('lead', Lead);
