// Generated from spec/crm/message.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, record } from '../../runtime/index.ts';

/** A message, which is only created. */
export const Message = z.strictObject({
  id: field.id(),
  text: optional(field.text()),
  sent_on: optional(field.date(), field.today()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Message = z.infer<typeof Message>;

export const MessageCreate = creatable(Message);
export const messageTable = record('message', Message, { path: 'crm/message', operations: ['create'] });
