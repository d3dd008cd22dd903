// Generated from spec/. Edit the spec, then run `npm run generate`.

export { personRoutes } from './crm/person.routes.ts';
