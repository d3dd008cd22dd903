// Generated from spec/crm/contact.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, update } from '../../runtime/index.ts';
import { ContactCreate, ContactQuery, contactTable, ContactUpdate } from './contact.schema.ts';

/** The routes of `/api/crm/contact`. All of them also respond 401, 403, 429, 500 and 503. */
export const contactRoutes = new Hono<Env>()

  // List contacts, newest first. Responds 200, 400.
  .get('/', list(contactTable, ContactQuery))

  // Create a contact. Responds 201, 400, 409, 413, 415, 422.
  .post('/', create(contactTable, ContactCreate))

  // Update a contact. Responds 200, 400, 404, 409, 412, 413, 415, 422.
  .patch('/:id', update(contactTable, ContactUpdate));
