// Generated from spec/. Edit the spec, then run `npm run generate`.

export { storeTable } from './setup/store.schema.ts';
