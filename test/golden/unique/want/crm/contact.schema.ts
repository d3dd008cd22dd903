// Generated from spec/crm/contact.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** A person at a customer. */
export const Contact = z.strictObject({
  id: field.id(),
  email: optional(field.email()),
  nickname: optional(field.text({ max: 100 })),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Contact = z.infer<typeof Contact>;

export const ContactCreate = creatable(Contact);
export const ContactUpdate = updatable(Contact);
export const ContactQuery = query(Contact);
export const contactTable = record('contact', Contact, {
  path: 'crm/contact',
  unique: [
    { fields: ['email'], ignoreCase: true },
    { fields: ['nickname'], ignoreCase: true },
  ],
  list: ContactQuery,
});
