// Generated from spec/. Edit the spec, then run `npm run generate`.

export { shopSettingsRoutes } from './setup/shop-settings.routes.ts';
