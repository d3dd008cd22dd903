// Generated from spec/constructor/car.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** What somebody builds. */
export interface Car {
  readonly id: string;
  name: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type CarCreate = client.Creatable<Car>;
export type CarUpdate = client.Updatable<Car>;

/** The operations of `/api/constructor/car`. */
export const carOperations = (requests: client.Requests) => {
  const path = '/api/constructor/car';
  return {
    /** List cars, newest first. */
    ...client.lists<Car, client.RecordFilter>(requests, path),

    /** Create a car. */
    create: client.create<Car, CarCreate>(requests, path),

    /** Retrieve a car. */
    retrieve: client.retrieve<Car>(requests, path),

    /** Update a car. */
    update: client.update<Car, CarUpdate>(requests, path),

    /** Delete a car. */
    delete: client.remove(requests, path),
  };
};
