// Generated from spec/. Edit the spec, then run `npm run generate`.

export { bomRoutes } from './setup/bom.routes.ts';
export { hourlyRateRoutes } from './setup/hourly-rate.routes.ts';
export { settingsRoutes } from './setup/settings.routes.ts';
export { staffRoutes } from './setup/staff.routes.ts';
