// Generated from spec/crm/note.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { field, listed, optional, query, record } from '../../runtime/index.ts';

/** Something to remember. */
export const Note = z.strictObject({
  id: field.id(),
  text: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Note = z.infer<typeof Note>;

export const NoteQuery = query(Note, {
  sort: ['text'],
  search: ['text'],
});
export const noteTable = record('note', Note, { path: 'crm/note', operations: ['list', 'retrieve'] }, [
  listed(NoteQuery),
]);
