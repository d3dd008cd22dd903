// Generated from spec/. Edit the spec, then run `npm run generate`.

export { visitTable } from './crm/visit.schema.ts';
