// Generated from spec/files/photo.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A picture. */
export interface Photo {
  readonly id: string;
  data: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export type PhotoCreate = client.Creatable<Photo, 'data'>;
export type PhotoUpdate = client.Updatable<Photo>;

/** The operations of `/api/files/photo`. */
export const photoOperations = (requests: client.Requests) => {
  const path = '/api/files/photo';
  return {
    /** List photos, newest first. */
    ...client.lists<Photo, client.RecordFilter>(requests, path),

    /** Create a photo. */
    create: client.create<Photo, PhotoCreate>(requests, path),

    /** Retrieve a photo. */
    retrieve: client.retrieve<Photo>(requests, path),

    /** Update a photo. */
    update: client.update<Photo, PhotoUpdate>(requests, path),

    /** Delete a photo. */
    delete: client.remove(requests, path),
  };
};
