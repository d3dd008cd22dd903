// Generated from spec/. Edit the spec, then run `npm run generate`.

export { taskTable } from './crm/task.schema.ts';
