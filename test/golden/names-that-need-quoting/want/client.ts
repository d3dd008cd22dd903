// Generated from spec/. Edit the spec, then run `npm run generate`.
import * as client from '../runtime/client/index.ts';
import { groupOperations } from './order/group.client.ts';
import { selectOperations } from './order/select.client.ts';

const resources = (requests: client.Requests) => ({
  order: {
    group: groupOperations(requests),
    select: selectOperations(requests),
  },
});

/** Makes a client of Shop. */
export const createClient = (options: client.ClientOptions) => client.connect(options, '/api', resources);

export { ApiFailure, type ClientOptions, type Problem } from '../runtime/client/index.ts';
export type * from './order/group.client.ts';
export type * from './order/select.client.ts';
