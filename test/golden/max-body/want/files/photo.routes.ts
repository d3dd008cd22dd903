// Generated from spec/files/photo.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { PhotoCreate, PhotoQuery, photoTable, PhotoUpdate } from './photo.schema.ts';

/** The routes of `/api/files/photo`. All of them also answer 401, 403, 429, 500 and 503. */
export const photoRoutes = new Hono<Env>()

  // List photos, newest first. Answers 200, 400.
  .get('/', list(photoTable, PhotoQuery))

  // Create a photo. Answers 201, 400, 413, 415, 422.
  .post('/', create(photoTable, PhotoCreate))

  // Retrieve a photo. Answers 200, 400, 404.
  .get('/:id', retrieve(photoTable))

  // Update a photo. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(photoTable, PhotoUpdate))

  // Delete a photo. Answers 200, 400, 404.
  .delete('/:id', remove(photoTable));
