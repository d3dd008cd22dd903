// Generated from spec/. Edit the spec, then run `npm run generate`.
import * as client from '../runtime/client/index.ts';
import { dealOperations } from './crm/deal.client.ts';
import { dealPartOperations } from './crm/deal-part.client.ts';
import { messageOperations } from './crm/message.client.ts';
import { noteOperations } from './crm/note.client.ts';

const resources = (requests: client.Requests) => ({
  crm: {
    deal: dealOperations(requests),
    dealPart: dealPartOperations(requests),
    message: messageOperations(requests),
    note: noteOperations(requests),
  },
});

/** Makes a client of Shop. */
export const createClient = (options: client.ClientOptions) => client.connect(options, '/api', resources);

export { ApiFailure, type ClientOptions, type Problem } from '../runtime/client/index.ts';
export type * from './crm/deal.client.ts';
export type * from './crm/deal-part.client.ts';
export type * from './crm/message.client.ts';
export type * from './crm/note.client.ts';
