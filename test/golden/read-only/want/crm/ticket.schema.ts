// Generated from spec/crm/ticket.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, readOnly, record, updatable } from '../../runtime/index.ts';

/** A question of a customer. */
export const Ticket = z.strictObject({
  id: field.id(),
  subject: field.text(),
  first_answer_at: readOnly(optional(field.dateTime())),
  state: readOnly(optional(field.oneOf(['open', 'closed']), 'open')),
  /** How often somebody has answered. */
  answers: readOnly(optional(field.integer(), 0)),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Ticket = z.infer<typeof Ticket>;

export const TicketCreate = creatable(Ticket);
export const TicketUpdate = updatable(Ticket);
export const TicketQuery = query(Ticket);
export const ticketTable = record('ticket', Ticket, {
  path: 'crm/ticket',
  transitions: { close: { field: 'state', from: ['open'], to: 'closed' } },
  list: TicketQuery,
});
