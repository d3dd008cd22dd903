// Generated from spec/. Edit the spec, then run `npm run generate`.

export { itemRoutes } from './stock/item.routes.ts';
