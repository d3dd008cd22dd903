// Generated from spec/. Edit the spec, then run `npm run generate`.

export { ruleBrandTable } from './accounts/rule-brand.schema.ts';
