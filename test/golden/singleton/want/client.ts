// Generated from spec/. Edit the spec, then run `npm run generate`.
import * as client from '../runtime/client/index.ts';
import { shopSettingsOperations } from './setup/shop-settings.client.ts';

const resources = (requests: client.Requests) => ({
  setup: {
    shopSettings: shopSettingsOperations(requests),
  },
});

/** Makes a client of Shop. */
export const createClient = (options: client.ClientOptions) => client.connect(options, '/api', resources);

export { ApiFailure, type ClientOptions, type Problem } from '../runtime/client/index.ts';
export type * from './setup/shop-settings.client.ts';
