// Generated from spec/crm/person.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { PersonCreate, PersonQuery, personTable, PersonUpdate } from './person.schema.ts';

/** The routes of `/api/crm/person`. All of them also answer 401, 403, 429, 500 and 503. */
export const personRoutes = new Hono<Env>()

  // List persons, newest first. Answers 200, 400.
  .get('/', list(personTable, PersonQuery))

  // Create a person. Answers 201, 400, 413, 415, 422.
  .post('/', create(personTable, PersonCreate))

  // Retrieve a person. Answers 200, 400, 404.
  .get('/:id', retrieve(personTable))

  // Update a person. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(personTable, PersonUpdate))

  // Delete a person. Answers 200, 400, 404.
  .delete('/:id', remove(personTable));
