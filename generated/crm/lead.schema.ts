// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { counted, creatable, field, listed, optional, query, record, updatable } from '../../runtime/index.ts';

/** A person or company that may become a customer. */
export const Lead = z.strictObject({
  id: field.id(),
  lead_name: optional(field.text()),
  /** Organization that the lead belongs to. */
  company_name: optional(field.text()),
  /** Email address. */
  email_id: optional(field.text()),
  /** The user who looks after the lead; `__user` until one is chosen. */
  lead_owner: optional(field.text(), '__user'),
  status: optional(field.text(), 'Lead'),
  salutation: optional(field.text()),
  gender: optional(field.text()),
  customer: optional(field.text()),
  image: optional(field.text()),
  phone: optional(field.text()),
  mobile_no: optional(field.text()),
  fax: optional(field.text()),
  type: optional(field.text()),
  market_segment: optional(field.text()),
  industry: optional(field.text()),
  request_type: optional(field.text()),
  company: optional(field.text()),
  website: optional(field.text()),
  territory: optional(field.text()),
  unsubscribed: optional(field.boolean(), false),
  blog_subscriber: optional(field.boolean(), false),
  title: optional(field.text()),
  language: optional(field.text()),
  first_name: optional(field.text()),
  middle_name: optional(field.text()),
  last_name: optional(field.text()),
  /** Number of employees as text. */
  no_of_employees: optional(field.text()),
  whatsapp_no: optional(field.text()),
  /** Extension of the phone number. */
  phone_ext: optional(field.text()),
  /** The user who qualified the lead. */
  qualified_by: optional(field.text()),
  qualified_on: optional(field.text()),
  qualification_status: optional(field.text()),
  job_title: optional(field.text()),
  annual_revenue: optional(field.number()),
  disabled: optional(field.boolean(), false),
  city: optional(field.text()),
  state: optional(field.text()),
  country: optional(field.text()),
  utm_content: optional(field.text()),
  utm_source: optional(field.text()),
  utm_medium: optional(field.text()),
  utm_campaign: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadUpdate = updatable(Lead);
export const LeadQuery = query(Lead, {
  filter: ['status', 'lead_owner', 'email_id', 'company_name'],
  sort: ['lead_name', 'annual_revenue'],
  search: ['lead_name', 'company_name', 'first_name', 'last_name', 'email_id'],
});
export const leadTable = record('lead', Lead, { path: 'crm/lead' }, [
  listed(LeadQuery),
  counted({ by: ['status'], sum: ['annual_revenue'] }),
]);
