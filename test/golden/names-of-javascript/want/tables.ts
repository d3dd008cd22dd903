// Generated from spec/. Edit the spec, then run `npm run generate`.

export { dateTable } from './kinds/date.schema.ts';
export { objectTable } from './kinds/object.schema.ts';
export { promiseTable } from './kinds/promise.schema.ts';
export { recordTable } from './kinds/record.schema.ts';
export { zTable } from './kinds/z.schema.ts';
