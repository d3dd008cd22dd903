// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  archived,
  creatable,
  defaulted,
  expands,
  field,
  listed,
  locked,
  optional,
  query,
  readOnly,
  record,
  ruled,
  transition,
} from '../../runtime/index.ts';
import { leadLogic } from './lead.rules.ts';

/** A lead. */
export const Lead = z.strictObject({
  id: field.id(),
  name: field.text(),
  status: defaulted(field.oneOf(['open', 'won']), 'open'),
  /** The time at which the record was archived; null if it is not. */
  archived_at: readOnly(optional(field.dateTime())),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadQuery = query(Lead, {
  filter: ['status', 'archived_at'],
  sort: ['status', 'name'],
  ignoreCase: ['name'],
});
export const leadTable = record('lead', Lead, { path: 'crm/lead', operations: ['list', 'create'] }, [
  listed(LeadQuery),
  ruled(leadLogic),
  locked('status', ['won']),
  archived(),
  transition('win', { field: 'status', from: ['open'], to: 'won' }),
  expands('phone-call', 'phone_call'),
]);
