// Generated from spec/. Edit the spec, then run `npm run generate`.

export { visitRoutes } from './crm/visit.routes.ts';
