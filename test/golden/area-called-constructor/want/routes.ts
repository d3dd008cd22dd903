// Generated from spec/. Edit the spec, then run `npm run generate`.

export { carRoutes } from './constructor/car.routes.ts';
