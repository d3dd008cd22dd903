// Generated from spec/. Edit the spec, then run `npm run generate`.

export { leadTable } from './crm/lead.schema.ts';
