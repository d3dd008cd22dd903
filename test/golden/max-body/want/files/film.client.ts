// Generated from spec/files/film.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** Moving pictures. */
export interface Film {
  readonly id: string;
  data: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export type FilmCreate = client.Creatable<Film, 'data'>;
export type FilmUpdate = client.Updatable<Film>;

/** The operations of `/api/files/film`. */
export const filmOperations = (requests: client.Requests) => {
  const path = '/api/files/film';
  return {
    /** List films, newest first. */
    ...client.lists<Film, client.RecordFilter>(requests, path),

    /** Create a film. */
    create: client.create<Film, FilmCreate>(requests, path),

    /** Retrieve a film. */
    retrieve: client.retrieve<Film>(requests, path),

    /** Update a film. */
    update: client.update<Film, FilmUpdate>(requests, path),

    /** Delete a film. */
    delete: client.remove(requests, path),
  };
};
