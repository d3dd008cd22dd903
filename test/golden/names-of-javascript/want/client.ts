// Generated from spec/. Edit the spec, then run `npm run generate`.
import * as client from '../runtime/client/index.ts';
import { carOperations } from './constructor/car.client.ts';
import { dateOperations } from './kinds/date.client.ts';
import { objectOperations } from './kinds/object.client.ts';
import { promiseOperations } from './kinds/promise.client.ts';
import { recordOperations } from './kinds/record.client.ts';
import { zOperations } from './kinds/z.client.ts';

const resources = (requests: client.Requests) => ({
  constructor: {
    car: carOperations(requests),
  },
  kinds: {
    date: dateOperations(requests),
    object: objectOperations(requests),
    promise: promiseOperations(requests),
    record: recordOperations(requests),
    z: zOperations(requests),
  },
});

/** Makes a client of Shop. */
export const createClient = (options: client.ClientOptions) => client.connect(options, '/api', resources);

export { ApiFailure, type ClientOptions, type Problem } from '../runtime/client/index.ts';
export type * from './constructor/car.client.ts';
export type * from './kinds/date.client.ts';
export type * from './kinds/object.client.ts';
export type * from './kinds/promise.client.ts';
export type * from './kinds/record.client.ts';
export type * from './kinds/z.client.ts';
