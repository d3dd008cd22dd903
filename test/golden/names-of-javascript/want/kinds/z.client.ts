// Generated from spec/kinds/z.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** The last letter. */
export interface Z {
  readonly id: string;
  env: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type ZUpdate = client.Updatable<Z>;

/** The operations of `/api/kinds/z`. */
export const zOperations = (requests: client.Requests) => {
  const path = '/api/kinds/z';
  return {
    /** Retrieve the z. */
    retrieve: client.retrieveSingleton<Z>(requests, path),

    /** Update the z. */
    update: client.update<Z, ZUpdate>(requests, path),
  };
};
