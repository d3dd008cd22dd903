// Generated from spec/. Edit the spec, then run `npm run generate`.

export { dateRoutes } from './kinds/date.routes.ts';
export { objectRoutes } from './kinds/object.routes.ts';
export { promiseRoutes } from './kinds/promise.routes.ts';
export { recordRoutes } from './kinds/record.routes.ts';
export { zRoutes } from './kinds/z.routes.ts';
