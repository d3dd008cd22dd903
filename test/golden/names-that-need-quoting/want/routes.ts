// Generated from spec/. Edit the spec, then run `npm run generate`.

export { groupRoutes } from './order/group.routes.ts';
export { selectRoutes } from './order/select.routes.ts';
