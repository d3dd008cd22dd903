// Generated from spec/files/page.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { PageCreate, PageQuery, pageTable, PageUpdate } from './page.schema.ts';

/** The routes of `/api/files/page`. All of them also answer 401, 403, 429, 500 and 503. */
export const pageRoutes = new Hono<Env>()

  // List pages, newest first. Answers 200, 400.
  .get('/', list(pageTable, PageQuery))

  // Create a page. Answers 201, 400, 413, 415, 422.
  .post('/', create(pageTable, PageCreate))

  // Retrieve a page. Answers 200, 400, 404.
  .get('/:id', retrieve(pageTable))

  // Update a page. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(pageTable, PageUpdate))

  // Delete a page. Answers 200, 400, 404.
  .delete('/:id', remove(pageTable));
