// Generated from spec/crm/lead-part.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, lineItem, optional, query, updatable } from '../../runtime/index.ts';

/** A part. */
export const LeadPart = z.strictObject({
  id: field.id(),
  idx: field.position(),
  deal_id: field.text(),
  deal_type: field.text(),
  name: optional(field.text()),
  code: optional(field.text()),
});
export type LeadPart = z.infer<typeof LeadPart>;

export const LeadPartCreate = creatable(LeadPart);
export const LeadPartUpdate = updatable(LeadPart);
export const LeadPartQuery = query(LeadPart);
export const leadPartTable = lineItem('lead_part', LeadPart, {
  path: 'crm/lead-part',
  parent: { field: 'deal_id', typeField: 'deal_type' },
  list: LeadPartQuery,
});
