// Generated from spec/kinds/record.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { RecordCreate, RecordQuery, recordTable, RecordUpdate } from './record.schema.ts';

/** The routes of `/api/kinds/record`. All of them also answer 401, 403, 429, 500 and 503. */
export const recordRoutes = new Hono<Env>()

  // List records, newest first. Answers 200, 400.
  .get('/', list(recordTable, RecordQuery))

  // Create a record. Answers 201, 400, 413, 415, 422.
  .post('/', create(recordTable, RecordCreate))

  // Retrieve a record. Answers 200, 400, 404.
  .get('/:id', retrieve(recordTable))

  // Update a record. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(recordTable, RecordUpdate))

  // Delete a record. Answers 200, 400, 404.
  .delete('/:id', remove(recordTable));
