// Generated from spec/. Edit the spec, then run `npm run generate`.

export { bomItemTable } from './manufacturing/b-o-m-item.schema.ts';
