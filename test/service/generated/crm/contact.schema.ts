// Generated from spec/crm/contact.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** A person to talk to at another company. */
export const Contact = z.strictObject({
  id: field.id(),
  full_name: field.text({ max: 140 }),
  company: optional(field.text()),
  birthday: optional(field.date()),
  notes: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Contact = z.infer<typeof Contact>;

export const ContactCreate = creatable(Contact);
export const ContactUpdate = updatable(Contact);
export const ContactQuery = query(Contact, {
  filter: ['company', 'birthday'],
  sort: ['full_name'],
  search: ['full_name', 'notes'],
});
export const contactTable = record('contact', Contact, {
  path: 'crm/contact',
  renamedFrom: ['person'],
  list: ContactQuery,
});
