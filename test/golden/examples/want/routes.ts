// Generated from spec/. Edit the spec, then run `npm run generate`.

export { leadRoutes } from './crm/lead.routes.ts';
