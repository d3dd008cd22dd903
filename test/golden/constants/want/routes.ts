// Generated from spec/. Edit the spec, then run `npm run generate`.

export { storeRoutes } from './setup/store.routes.ts';
