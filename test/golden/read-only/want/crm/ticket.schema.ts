// Generated from spec/crm/ticket.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  creatable,
  dateTime,
  id,
  integer,
  oneOf,
  optional,
  readOnly,
  record,
  text,
  timestamp,
  updatable,
} from '../../runtime/index.ts';

/** A question of a customer. */
export const Ticket = z.strictObject({
  id: id(),
  subject: text(),
  first_answer_at: readOnly(optional(dateTime())),
  state: readOnly(optional(oneOf(['open', 'closed']), 'open')),
  /** How often somebody has answered. */
  answers: readOnly(optional(integer(), 0)),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Ticket = z.infer<typeof Ticket>;

export const TicketCreate = creatable(Ticket);
export const TicketUpdate = updatable(Ticket);
export const ticketTable = record('ticket', Ticket);
