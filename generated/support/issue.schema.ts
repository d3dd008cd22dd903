// Generated from spec/support/issue.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  boolean,
  creatable,
  date,
  id,
  integer,
  optional,
  record,
  text,
  timestamp,
  updatable,
} from '../../runtime/index.ts';

/** A question or problem that someone has brought to support. */
export const Issue = z.strictObject({
  id: id(),
  subject: text(),
  customer: optional(text()),
  raised_by: optional(text()),
  status: optional(text(), 'Open'),
  priority: optional(text()),
  issue_type: optional(text()),
  description: optional(text()),
  service_level_agreement: optional(text()),
  response_by: optional(text()),
  first_responded_on: optional(text()),
  lead: optional(text()),
  contact: optional(text()),
  email_account: optional(text()),
  customer_name: optional(text()),
  project: optional(text()),
  company: optional(text()),
  resolution_details: optional(text()),
  opening_date: optional(date()),
  opening_time: optional(text()),
  content_type: optional(text()),
  attachment: optional(text()),
  /** Whether the issue came in through the customer portal. */
  via_customer_portal: optional(boolean(), false),
  service_level_agreement_creation: optional(text()),
  /** Issue that this one was split off from. */
  issue_split_from: optional(text()),
  avg_response_time: optional(integer()),
  resolution_time: optional(integer()),
  user_resolution_time: optional(integer()),
  on_hold_since: optional(text()),
  /** How long the issue has been on hold altogether. */
  total_hold_time: optional(integer()),
  /** Where the issue stands under its service level agreement. */
  agreement_status: optional(text(), 'First Response Due'),
  /** How long the first response took. */
  first_response_time: optional(integer()),
  sla_resolution_by: optional(text()),
  /** A plain string that is not checked as a calendar date. */
  sla_resolution_date: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Issue = z.infer<typeof Issue>;

export const IssueCreate = creatable(Issue);
export const IssueUpdate = updatable(Issue);
export const issueTable = record('issue', Issue);
