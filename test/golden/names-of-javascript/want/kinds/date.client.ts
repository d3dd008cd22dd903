// Generated from spec/kinds/date.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A day to remember. */
export interface Date {
  readonly id: string;
  date: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type DateCreate = client.Creatable<Date>;
export type DateUpdate = client.Updatable<Date>;

/** The operations of `/api/kinds/date`. */
export const dateOperations = (requests: client.Requests) => {
  const path = '/api/kinds/date';
  return {
    /** List dates, newest first. */
    ...client.lists<Date, client.RecordFilter>(requests, path),

    /** Create a date. */
    create: client.create<Date, DateCreate>(requests, path),

    /** Retrieve a date. */
    retrieve: client.retrieve<Date>(requests, path),

    /** Update a date. */
    update: client.update<Date, DateUpdate>(requests, path),

    /** Delete a date. */
    delete: client.remove(requests, path),
  };
};
