// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A person or company that may become a customer. */
export interface Lead {
  readonly id: string;
  lead_name: string | null;
  /** Organization that the lead belongs to. */
  company_name: string | null;
  /** Email address. */
  email_id: string | null;
  /** The user who looks after the lead; `__user` until one is chosen. */
  lead_owner: string | null;
  status: string | null;
  salutation: string | null;
  gender: string | null;
  customer: string | null;
  image: string | null;
  phone: string | null;
  mobile_no: string | null;
  fax: string | null;
  type: string | null;
  market_segment: string | null;
  industry: string | null;
  request_type: string | null;
  company: string | null;
  website: string | null;
  territory: string | null;
  unsubscribed: boolean | null;
  blog_subscriber: boolean | null;
  title: string | null;
  language: string | null;
  first_name: string | null;
  middle_name: string | null;
  last_name: string | null;
  /** Number of employees as text. */
  no_of_employees: string | null;
  whatsapp_no: string | null;
  /** Extension of the phone number. */
  phone_ext: string | null;
  /** The user who qualified the lead. */
  qualified_by: string | null;
  qualified_on: string | null;
  qualification_status: string | null;
  job_title: string | null;
  annual_revenue: number | null;
  disabled: boolean | null;
  city: string | null;
  state: string | null;
  country: string | null;
  utm_content: string | null;
  utm_source: string | null;
  utm_medium: string | null;
  utm_campaign: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type LeadCreate = client.Creatable<Lead>;
export type LeadUpdate = client.Updatable<Lead>;

/** The filters of lists of leads. */
export interface LeadFilter extends client.RecordFilter {
  status?: client.TextFilter;
  lead_owner?: client.TextFilter;
  email_id?: client.TextFilter;
  company_name?: client.TextFilter;
}

export type LeadSort = 'lead_name' | 'annual_revenue';

/** The operations of `/api/crm/lead`. */
export const leadOperations = (requests: client.Requests) => {
  const path = '/api/crm/lead';
  return {
    /** List leads, newest first. */
    ...client.searchedLists<Lead, LeadFilter, LeadSort>(requests, path),

    /** Create a lead. */
    create: client.create<Lead, LeadCreate>(requests, path),

    /** Retrieve a lead. */
    retrieve: client.retrieve<Lead>(requests, path),

    /** Update a lead. */
    update: client.update<Lead, LeadUpdate>(requests, path),

    /** Delete a lead. */
    delete: client.remove(requests, path),

    /** Count leads. */
    count: client.counts<Lead, LeadFilter, 'status', 'annual_revenue', string>(requests, path),
  };
};
