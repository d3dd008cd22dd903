// Generated from spec/. Edit the spec, then run `npm run generate`.

export { ruleBrandRoutes } from './accounts/rule-brand.routes.ts';
