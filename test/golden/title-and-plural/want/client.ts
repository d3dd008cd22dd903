// Generated from spec/. Edit the spec, then run `npm run generate`.
import * as client from '../runtime/client/index.ts';
import { bomOperations } from './setup/bom.client.ts';
import { hourlyRateOperations } from './setup/hourly-rate.client.ts';
import { settingsOperations } from './setup/settings.client.ts';
import { staffOperations } from './setup/staff.client.ts';

const resources = (requests: client.Requests) => ({
  setup: {
    bom: bomOperations(requests),
    hourlyRate: hourlyRateOperations(requests),
    settings: settingsOperations(requests),
    staff: staffOperations(requests),
  },
});

/** Makes a client of Shop. */
export const createClient = (options: client.ClientOptions) => client.connect(options, '/api', resources);

export { ApiFailure, type ClientOptions, type Problem } from '../runtime/client/index.ts';
export type * from './setup/bom.client.ts';
export type * from './setup/hourly-rate.client.ts';
export type * from './setup/settings.client.ts';
export type * from './setup/staff.client.ts';
