// Generated from spec/. Edit the spec, then run `npm run generate`.

export { shopSettingsTable } from './setup/shop-settings.schema.ts';
