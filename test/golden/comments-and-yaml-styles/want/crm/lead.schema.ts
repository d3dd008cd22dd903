// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record } from '../../runtime/index.ts';

/** A person who may buy something. */
export const Lead = z.strictObject({
  id: field.id(),
  name: field.text(),
  stage: optional(field.oneOf(['new', 'old']), 'new'),
  age: optional(field.integer(), 16),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadQuery = query(Lead);
export const leadTable = record('lead', Lead, {
  path: 'crm/lead',
  operations: ['list', 'create'],
  list: LeadQuery,
});
