// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { boolean, creatable, id, number, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** A person or company that may become a customer. */
export const Lead = z.strictObject({
  id: id(),
  lead_name: optional(text()),
  /** Organization that the lead belongs to. */
  company_name: optional(text()),
  /** Email address. */
  email_id: optional(text()),
  /** Who looks after the lead. The default is the literal text `__user`. */
  lead_owner: optional(text(), '__user'),
  status: optional(text(), 'Lead'),
  salutation: optional(text()),
  gender: optional(text()),
  customer: optional(text()),
  image: optional(text()),
  phone: optional(text()),
  mobile_no: optional(text()),
  fax: optional(text()),
  type: optional(text()),
  market_segment: optional(text()),
  industry: optional(text()),
  request_type: optional(text()),
  company: optional(text()),
  website: optional(text()),
  territory: optional(text()),
  unsubscribed: optional(boolean(), false),
  blog_subscriber: optional(boolean(), false),
  title: optional(text()),
  language: optional(text()),
  first_name: optional(text()),
  middle_name: optional(text()),
  last_name: optional(text()),
  /** Number of employees as text. */
  no_of_employees: optional(text()),
  whatsapp_no: optional(text()),
  /** Extension of the phone number. */
  phone_ext: optional(text()),
  /** Who qualified the lead. */
  qualified_by: optional(text()),
  qualified_on: optional(text()),
  qualification_status: optional(text()),
  job_title: optional(text()),
  annual_revenue: optional(number()),
  disabled: optional(boolean(), false),
  city: optional(text()),
  state: optional(text()),
  country: optional(text()),
  utm_content: optional(text()),
  utm_source: optional(text()),
  utm_medium: optional(text()),
  utm_campaign: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadUpdate = updatable(Lead);
export const leadTable = record('lead', Lead);
