// Generated from spec/files/note.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A text of a few words. */
export interface Note {
  readonly id: string;
  text: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export type NoteCreate = client.Creatable<Note, 'text'>;
export type NoteUpdate = client.Updatable<Note>;

/** The operations of `/api/files/note`. */
export const noteOperations = (requests: client.Requests) => {
  const path = '/api/files/note';
  return {
    /** List notes, newest first. */
    ...client.lists<Note, client.RecordFilter>(requests, path),

    /** Create a note. */
    create: client.create<Note, NoteCreate>(requests, path),

    /** Retrieve a note. */
    retrieve: client.retrieve<Note>(requests, path),

    /** Update a note. */
    update: client.update<Note, NoteUpdate>(requests, path),

    /** Delete a note. */
    delete: client.remove(requests, path),
  };
};
