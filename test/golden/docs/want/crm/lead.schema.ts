// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/**
 * A person or a company that may buy something, found by a campaign, by a referral or by chance, and kept here until
 * somebody has spoken to them and knows better.
 */
export const Lead = z.strictObject({
  id: field.id(),
  /** Ends no comment: *\/ nor starts one: /* but may name `code`, ${code} and <b>HTML</b>. */
  name: optional(field.text()),
  /** With 'single', "double" and `back` quotes, a \ backslash and a tab. */
  email: optional(field.text()),
  /** A text that is just as long as can stand in a comment of one line, where 120 columns are all the room there is. */
  fits_exactly: optional(field.text()),
  /**
   * A text that is one letter longer than what can stand in a comment of one line, where 120 columns is all there is
   */
  one_too_long: optional(field.text()),
  /** A text of two paragraphs, the second of which is here. */
  notes: optional(field.text()),
  /** Größe, 東京 and 🙂. */
  city: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadUpdate = updatable(Lead);
export const LeadQuery = query(Lead);
export const leadTable = record('lead', Lead, { path: 'crm/lead', list: LeadQuery });
