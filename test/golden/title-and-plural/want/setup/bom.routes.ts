// Generated from spec/setup/bom.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { BomCreate, BomQuery, bomTable, BomUpdate } from './bom.schema.ts';

/** The routes of `/api/setup/bom`. All of them also answer 401, 403, 429, 500 and 503. */
export const bomRoutes = new Hono<Env>()

  // List BOMs, newest first. Answers 200, 400.
  .get('/', list(bomTable, BomQuery))

  // Create a BOM. Answers 201, 400, 413, 415, 422.
  .post('/', create(bomTable, BomCreate))

  // Retrieve a BOM. Answers 200, 400, 404.
  .get('/:id', retrieve(bomTable))

  // Update a BOM. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(bomTable, BomUpdate))

  // Delete a BOM. Answers 200, 400, 404.
  .delete('/:id', remove(bomTable));
