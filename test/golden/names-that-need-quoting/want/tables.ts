// Generated from spec/. Edit the spec, then run `npm run generate`.

export { groupTable } from './order/group.schema.ts';
export { selectTable } from './order/select.schema.ts';
