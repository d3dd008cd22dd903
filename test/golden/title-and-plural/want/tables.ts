// Generated from spec/. Edit the spec, then run `npm run generate`.

export { bomTable } from './setup/bom.schema.ts';
export { hourlyRateTable } from './setup/hourly-rate.schema.ts';
export { settingsTable } from './setup/settings.schema.ts';
export { staffTable } from './setup/staff.schema.ts';
