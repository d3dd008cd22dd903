// Generated from spec/files/note.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, query, record, updatable } from '../../runtime/index.ts';

/** A text of a few words. */
export const Note = z.strictObject({
  id: field.id(),
  text: field.text({ max: 500 }),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Note = z.infer<typeof Note>;

export const NoteCreate = creatable(Note);
export const NoteUpdate = updatable(Note);
export const NoteQuery = query(Note);
export const noteTable = record('note', Note, {
  path: 'files/note',
  maxBody: 1000,
  list: NoteQuery,
});
