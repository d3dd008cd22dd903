// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  archived,
  counted,
  creatable,
  field,
  listed,
  optional,
  query,
  readOnly,
  record,
  refers,
  updatable,
} from '../../runtime/index.ts';

/** A lead. */
export const Lead = z.strictObject({
  id: field.id(),
  name: field.text(),
  status: optional(field.oneOf(['open', 'won']), 'open'),
  owner_id: optional(refers('lead', { onDelete: 'restrict' })),
  is_open: optional(field.boolean()),
  revenue: optional(field.number()),
  seats: optional(field.integer()),
  price: optional(field.decimal({ digits: 10, scale: 2 })),
  /** The time at which the record was archived; null if it is not. */
  archived_at: readOnly(optional(field.dateTime())),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadUpdate = updatable(Lead);
export const LeadQuery = query(Lead, {
  filter: ['archived_at'],
  search: ['name'],
});
export const leadTable = record('lead', Lead, { path: 'crm/lead' }, [
  listed(LeadQuery),
  counted({ by: ['status', 'owner_id', 'is_open'], sum: ['revenue', 'seats', 'price'] }),
  archived(),
]);
