// Generated from spec/crm/note.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** Something to remember. */
export interface Note {
  readonly id: string;
  text: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type NoteSort = 'text';

/** The operations of `/api/crm/note`. */
export const noteOperations = (requests: client.Requests) => {
  const path = '/api/crm/note';
  return {
    /** List notes, newest first. */
    ...client.searchedLists<Note, client.RecordFilter, NoteSort>(requests, path),

    /** Retrieve a note. */
    retrieve: client.retrieve<Note>(requests, path),
  };
};
