// Generated from spec/. Edit the spec, then run `npm run generate`.

export { dealRoutes } from './crm/deal.routes.ts';
export { dealPartRoutes } from './crm/deal-part.routes.ts';
export { messageRoutes } from './crm/message.routes.ts';
export { noteRoutes } from './crm/note.routes.ts';
