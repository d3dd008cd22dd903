// Generated from spec/. Edit the spec, then run `npm run generate`.
import * as client from '../runtime/client/index.ts';
import { filmOperations } from './files/film.client.ts';
import { noteOperations } from './files/note.client.ts';
import { pageOperations } from './files/page.client.ts';
import { photoOperations } from './files/photo.client.ts';

const resources = (requests: client.Requests) => ({
  files: {
    film: filmOperations(requests),
    note: noteOperations(requests),
    page: pageOperations(requests),
    photo: photoOperations(requests),
  },
});

/** Makes a client of Shop. */
export const createClient = (options: client.ClientOptions) => client.connect(options, '/api', resources);

export { ApiFailure, type ClientOptions, type Problem } from '../runtime/client/index.ts';
export type * from './files/film.client.ts';
export type * from './files/note.client.ts';
export type * from './files/page.client.ts';
export type * from './files/photo.client.ts';
