// Generated from spec/. Edit the spec, then run `npm run generate`.

export { ticketTable } from './crm/ticket.schema.ts';
