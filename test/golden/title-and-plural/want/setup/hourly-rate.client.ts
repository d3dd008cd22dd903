// Generated from spec/setup/hourly-rate.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** What an hour costs. */
export interface HourlyRate {
  readonly id: string;
  name: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type HourlyRateCreate = client.Creatable<HourlyRate>;
export type HourlyRateUpdate = client.Updatable<HourlyRate>;

/** The operations of `/api/setup/hourly-rate`. */
export const hourlyRateOperations = (requests: client.Requests) => {
  const path = '/api/setup/hourly-rate';
  return {
    /** List rates of an hour's "work", newest first. */
    ...client.lists<HourlyRate, client.RecordFilter>(requests, path),

    /** Create a rate of an hour's "work". */
    create: client.create<HourlyRate, HourlyRateCreate>(requests, path),

    /** Retrieve a rate of an hour's "work". */
    retrieve: client.retrieve<HourlyRate>(requests, path),

    /** Update a rate of an hour's "work". */
    update: client.update<HourlyRate, HourlyRateUpdate>(requests, path),

    /** Delete a rate of an hour's "work". */
    delete: client.remove(requests, path),
  };
};
