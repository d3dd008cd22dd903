// Generated from spec/. Edit the spec, then run `npm run generate`.

export { dealTable } from './crm/deal.schema.ts';
export { dealPartTable } from './crm/deal-part.schema.ts';
export { messageTable } from './crm/message.schema.ts';
export { noteTable } from './crm/note.schema.ts';
