// Generated from spec/kinds/z.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { type Env, retrieveSingleton, update } from '../../runtime/index.ts';
import { zTable, ZUpdate } from './z.schema.ts';

/** The routes of `/api/kinds/z`. All of them also answer 401, 403, 429, 500 and 503. */
export const zRoutes = new Hono<Env>()

  // Retrieve the z. Answers 200, 400.
  .get('/', retrieveSingleton(zTable))

  // Update the z. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(zTable, ZUpdate));
