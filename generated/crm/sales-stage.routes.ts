// Generated from spec/crm/sales-stage.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { SalesStageCreate, SalesStageQuery, salesStageTable, SalesStageUpdate } from './sales-stage.schema.ts';

/** The routes of `/api/crm/sales-stage`. All of them also respond 401, 403, 429, 500 and 503. */
export const salesStageRoutes = new Hono<Env>()

  // List sales stages, newest first. Responds 200, 400.
  .get('/', list(salesStageTable, SalesStageQuery))

  // Create a sales stage. Responds 201, 400, 413, 415, 422.
  .post('/', create(salesStageTable, SalesStageCreate))

  // Retrieve a sales stage. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(salesStageTable))

  // Update a sales stage. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(salesStageTable, SalesStageUpdate))

  // Delete a sales stage. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(salesStageTable));
