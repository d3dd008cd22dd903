// Generated from spec/support/issue.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A question or problem that someone has brought to support. */
export interface Issue {
  readonly id: string;
  subject: string;
  customer: string | null;
  raised_by: string | null;
  status: string | null;
  priority: string | null;
  issue_type: string | null;
  description: string | null;
  service_level_agreement: string | null;
  response_by: string | null;
  first_responded_on: string | null;
  lead: string | null;
  contact: string | null;
  email_account: string | null;
  customer_name: string | null;
  project: string | null;
  company: string | null;
  resolution_details: string | null;
  opening_date: string | null;
  opening_time: string | null;
  content_type: string | null;
  attachment: string | null;
  /** Whether the issue came in through the customer portal. */
  via_customer_portal: boolean | null;
  service_level_agreement_creation: string | null;
  /** Issue that this one was split off from. */
  issue_split_from: string | null;
  avg_response_time: number | null;
  resolution_time: number | null;
  user_resolution_time: number | null;
  on_hold_since: string | null;
  /** How long the issue has been on hold altogether. */
  total_hold_time: number | null;
  /** Where the issue stands under its service level agreement. */
  agreement_status: string | null;
  /** How long the first response took. */
  first_response_time: number | null;
  sla_resolution_by: string | null;
  /** In any form; it is not checked to be a date. */
  sla_resolution_date: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type IssueCreate = client.Creatable<Issue, 'subject'>;
export type IssueUpdate = client.Updatable<Issue>;

/** The filters of lists of issues. */
export interface IssueFilter extends client.RecordFilter {
  status?: client.TextFilter;
  priority?: client.TextFilter;
  customer?: client.TextFilter;
  opening_date?: client.DateFilter;
}

export type IssueSort = 'opening_date' | 'priority';

/** The operations of `/api/support/issue`. */
export const issueOperations = (requests: client.Requests) => {
  const path = '/api/support/issue';
  return {
    /** List issues, newest first. */
    ...client.searchedLists<Issue, IssueFilter, IssueSort>(requests, path),

    /** Create an issue. */
    create: client.create<Issue, IssueCreate>(requests, path),

    /** Retrieve an issue. */
    retrieve: client.retrieve<Issue>(requests, path),

    /** Update an issue. */
    update: client.update<Issue, IssueUpdate>(requests, path),

    /** Delete an issue. */
    delete: client.remove(requests, path),

    /** Count issues. */
    count: client.counts<Issue, IssueFilter, 'status' | 'priority', never, string>(requests, path),
  };
};
