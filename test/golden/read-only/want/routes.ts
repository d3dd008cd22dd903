// Generated from spec/. Edit the spec, then run `npm run generate`.

export { ticketRoutes } from './crm/ticket.routes.ts';
