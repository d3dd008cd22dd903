// Generated from spec/support/issue.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { counted, creatable, field, listed, optional, query, record, updatable } from '../../runtime/index.ts';

/** A question or problem that someone has brought to support. */
export const Issue = z.strictObject({
  id: field.id(),
  subject: field.text(),
  customer: optional(field.text()),
  raised_by: optional(field.text()),
  status: optional(field.text(), 'Open'),
  priority: optional(field.text()),
  issue_type: optional(field.text()),
  description: optional(field.text()),
  service_level_agreement: optional(field.text()),
  response_by: optional(field.text()),
  first_responded_on: optional(field.text()),
  lead: optional(field.text()),
  contact: optional(field.text()),
  email_account: optional(field.text()),
  customer_name: optional(field.text()),
  project: optional(field.text()),
  company: optional(field.text()),
  resolution_details: optional(field.text()),
  opening_date: optional(field.date()),
  opening_time: optional(field.text()),
  content_type: optional(field.text()),
  attachment: optional(field.text()),
  /** Whether the issue came in through the customer portal. */
  via_customer_portal: optional(field.boolean(), false),
  service_level_agreement_creation: optional(field.text()),
  /** Issue that this one was split off from. */
  issue_split_from: optional(field.text()),
  avg_response_time: optional(field.integer()),
  resolution_time: optional(field.integer()),
  user_resolution_time: optional(field.integer()),
  on_hold_since: optional(field.text()),
  /** How long the issue has been on hold altogether. */
  total_hold_time: optional(field.integer()),
  /** Where the issue stands under its service level agreement. */
  agreement_status: optional(field.text(), 'First Response Due'),
  /** How long the first response took. */
  first_response_time: optional(field.integer()),
  sla_resolution_by: optional(field.text()),
  /** In any form; it is not checked to be a date. */
  sla_resolution_date: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Issue = z.infer<typeof Issue>;

export const IssueCreate = creatable(Issue);
export const IssueUpdate = updatable(Issue);
export const IssueQuery = query(Issue, {
  filter: ['status', 'priority', 'customer', 'opening_date'],
  sort: ['opening_date', 'priority'],
  search: ['subject', 'description', 'raised_by'],
});
export const issueTable = record('issue', Issue, { path: 'support/issue' }, [
  listed(IssueQuery),
  counted({ by: ['status', 'priority'] }),
]);
