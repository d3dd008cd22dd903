// Generated from spec/crm/contact.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { ContactCreate, ContactQuery, contactTable, ContactUpdate } from './contact.schema.ts';

/** The routes of `/api/crm/contact`. All of them also answer 401, 403, 429, 500 and 503. */
export const contactRoutes = new Hono<Env>()

  // List contacts, newest first. Answers 200, 400.
  .get('/', list(contactTable, ContactQuery))

  // Create a contact. Answers 201, 400, 413, 415, 422.
  .post('/', create(contactTable, ContactCreate))

  // Retrieve a contact. Answers 200, 400, 404.
  .get('/:id', retrieve(contactTable))

  // Update a contact. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(contactTable, ContactUpdate))

  // Delete a contact. Answers 200, 400, 404.
  .delete('/:id', remove(contactTable));
