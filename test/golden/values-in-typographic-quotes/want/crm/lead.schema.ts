// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** “A person.” */
export const Lead = z.strictObject({
  id: field.id(),
  size: optional(field.oneOf(['“small”', '‘large’', 'straight']), '“small”'),
  /** It is a “code” in quotes. */
  code: optional(field.text({ pattern: /‘^a$’/u })),
  name: optional(field.text(), '“meant so”'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadUpdate = updatable(Lead);
export const LeadQuery = query(Lead);
export const leadTable = record('lead', Lead, { path: 'crm/lead', list: LeadQuery });
