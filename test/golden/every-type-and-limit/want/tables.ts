// Generated from spec/. Edit the spec, then run `npm run generate`.

export { itemTable } from './stock/item.schema.ts';
