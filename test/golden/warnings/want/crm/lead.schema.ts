// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, optional, query, record, transition, updatable } from '../../runtime/index.ts';

/** A thing */
export const Lead = z.strictObject({
  id: field.id(),
  name: field.text(),
  code: optional(field.text()),
  status: optional(field.text(), 'draft'),
  size: optional(field.oneOf(['“small”', '‘large’', 'straight']), '“small”'),
  /** It is a “code” in quotes. */
  pattern: optional(field.text({ pattern: /‘^a$’/u })),
  meant: optional(field.text(), '“meant so”'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadUpdate = updatable(Lead);
export const LeadQuery = query(Lead);
export const leadTable = record('lead', Lead, { path: 'crm/lead', title: '“Person”' }, [
  listed(LeadQuery),
  transition('submit', { field: 'status', from: ['draft', 'daft'], to: 'submitted' }),
  transition('cancel', { field: 'status', from: ['sumbitted'], to: 'cancelled' }),
  transition('mark', { field: 'status', from: ['draft'], set: { meant: { value: 'today()' } } }),
  transition('name', { field: 'status', from: ['draft'], set: { meant: { value: 'Now' } } }),
]);
