// Generated from spec/crm/note.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { type Env, list, retrieve } from '../../runtime/index.ts';
import { NoteQuery, noteTable } from './note.schema.ts';

/** The routes of `/api/crm/note`. All of them also answer 401, 403, 429, 500 and 503. */
export const noteRoutes = new Hono<Env>()

  // List notes, newest first. Answers 200, 400.
  .get('/', list(noteTable, NoteQuery))

  // Retrieve a note. Answers 200, 400, 404.
  .get('/:id', retrieve(noteTable));
