// Generated from spec/help-desk/archive.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A question of an earlier year. */
export interface Archive {
  readonly id: string;
  text: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The operations of `/api/help-desk/archive`. */
export const archiveOperations = (requests: client.Requests) => {
  const path = '/api/help-desk/archive';
  return {
    /** Retrieve an archive. */
    retrieve: client.retrieve<Archive>(requests, path),
  };
};
