// Generated from spec/. Edit the spec, then run `npm run generate`.

export { carTable } from './constructor/car.schema.ts';
