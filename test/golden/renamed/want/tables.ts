// Generated from spec/. Edit the spec, then run `npm run generate`.

export { personTable } from './crm/person.schema.ts';
