// Generated from spec/files/note.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** A text of a few words. */
export const Note = z.strictObject({
  id: id(),
  text: text({ max: 500 }),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Note = z.infer<typeof Note>;

export const NoteCreate = creatable(Note);
export const NoteUpdate = updatable(Note);
export const noteTable = record('note', Note, {
  maxBody: 1000,
});
