// Generated from spec/. Edit the spec, then run `npm run generate`.

export { bomItemRoutes } from './manufacturing/b-o-m-item.routes.ts';
