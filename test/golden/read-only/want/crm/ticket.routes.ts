// Generated from spec/crm/ticket.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, transition, update } from '../../runtime/index.ts';
import { TicketCreate, TicketQuery, ticketTable, TicketUpdate } from './ticket.schema.ts';

/** The routes of `/api/crm/ticket`. All of them also answer 401, 403, 429, 500 and 503. */
export const ticketRoutes = new Hono<Env>()

  // List tickets, newest first. Answers 200, 400.
  .get('/', list(ticketTable, TicketQuery))

  // Create a ticket. Answers 201, 400, 413, 415, 422.
  .post('/', create(ticketTable, TicketCreate))

  // Retrieve a ticket. Answers 200, 400, 404.
  .get('/:id', retrieve(ticketTable))

  // Update a ticket. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(ticketTable, TicketUpdate))

  // Delete a ticket. Answers 200, 400, 404.
  .delete('/:id', remove(ticketTable))

  // Close a ticket: state from open to closed. Answers 200, 400, 404, 409.
  .post('/:id/close', transition(ticketTable, { field: 'state', from: ['open'], to: 'closed' }));
