// Generated from spec/files/note.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { NoteCreate, NoteQuery, noteTable, NoteUpdate } from './note.schema.ts';

/** The routes of `/api/files/note`. All of them also answer 401, 403, 429, 500 and 503. */
export const noteRoutes = new Hono<Env>()

  // List notes, newest first. Answers 200, 400.
  .get('/', list(noteTable, NoteQuery))

  // Create a note. Answers 201, 400, 413, 415, 422.
  .post('/', create(noteTable, NoteCreate))

  // Retrieve a note. Answers 200, 400, 404.
  .get('/:id', retrieve(noteTable))

  // Update a note. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(noteTable, NoteUpdate))

  // Delete a note. Answers 200, 400, 404.
  .delete('/:id', remove(noteTable));
