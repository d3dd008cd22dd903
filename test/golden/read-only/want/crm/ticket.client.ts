// Generated from spec/crm/ticket.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A question of a customer. */
export interface Ticket {
  readonly id: string;
  subject: string;
  readonly first_answer_at: string | null;
  readonly state: 'open' | 'closed' | null;
  /** How often somebody has answered. */
  readonly answers: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type TicketCreate = client.Creatable<Ticket, 'subject', 'answers' | 'first_answer_at' | 'state'>;
export type TicketUpdate = client.Updatable<Ticket>;

/** The operations of `/api/crm/ticket`. */
export const ticketOperations = (requests: client.Requests) => {
  const path = '/api/crm/ticket';
  return {
    /** List tickets, newest first. */
    ...client.lists<Ticket, client.RecordFilter>(requests, path),

    /** Create a ticket. */
    create: client.create<Ticket, TicketCreate>(requests, path),

    /** Retrieve a ticket. */
    retrieve: client.retrieve<Ticket>(requests, path),

    /** Update a ticket. */
    update: client.update<Ticket, TicketUpdate>(requests, path),

    /** Delete a ticket. */
    delete: client.remove(requests, path),

    /** Close a ticket: state from open to closed. */
    close: client.transition<Ticket>(requests, path, 'close'),
  };
};
