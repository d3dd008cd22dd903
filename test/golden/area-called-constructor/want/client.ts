// Generated from spec/. Edit the spec, then run `npm run generate`.
import * as client from '../runtime/client/index.ts';
import { carOperations } from './constructor/car.client.ts';

const resources = (requests: client.Requests) => ({
  constructor: {
    car: carOperations(requests),
  },
});

/** Makes a client of Shop. */
export const createClient = (options: client.ClientOptions) => client.connect(options, '/api', resources);

export { ApiFailure, type ClientOptions, type Problem } from '../runtime/client/index.ts';
export type * from './constructor/car.client.ts';
