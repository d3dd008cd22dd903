// Generated from spec/files/film.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { FilmCreate, FilmQuery, filmTable, FilmUpdate } from './film.schema.ts';

/** The routes of `/api/files/film`. All of them also answer 401, 403, 429, 500 and 503. */
export const filmRoutes = new Hono<Env>()

  // List films, newest first. Answers 200, 400.
  .get('/', list(filmTable, FilmQuery))

  // Create a film. Answers 201, 400, 413, 415, 422.
  .post('/', create(filmTable, FilmCreate))

  // Retrieve a film. Answers 200, 400, 404.
  .get('/:id', retrieve(filmTable))

  // Update a film. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(filmTable, FilmUpdate))

  // Delete a film. Answers 200, 400, 404.
  .delete('/:id', remove(filmTable));
