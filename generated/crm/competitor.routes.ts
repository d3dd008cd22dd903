// Generated from spec/crm/competitor.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { CompetitorCreate, CompetitorQuery, competitorTable, CompetitorUpdate } from './competitor.schema.ts';

/** The routes of `/api/crm/competitor`. All of them also respond 401, 403, 429, 500 and 503. */
export const competitorRoutes = new Hono<Env>()

  // List competitors, newest first. Responds 200, 400.
  .get('/', list(competitorTable, CompetitorQuery))

  // Create a competitor. Responds 201, 400, 413, 415, 422.
  .post('/', create(competitorTable, CompetitorCreate))

  // Retrieve a competitor. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(competitorTable))

  // Update a competitor. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(competitorTable, CompetitorUpdate))

  // Delete a competitor. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(competitorTable));
