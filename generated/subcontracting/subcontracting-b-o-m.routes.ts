// Generated from spec/subcontracting/subcontracting-b-o-m.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import {
  SubcontractingBomCreate,
  SubcontractingBomQuery,
  subcontractingBomTable,
  SubcontractingBomUpdate,
} from './subcontracting-b-o-m.schema.ts';

/** The routes of `/api/subcontracting/subcontracting-b-o-m`. All of them also respond 401, 403, 429, 500 and 503. */
export const subcontractingBomRoutes = new Hono<Env>()

  // List subcontracting BOMs, newest first. Responds 200, 400.
  .get('/', list(subcontractingBomTable, SubcontractingBomQuery))

  // Create a subcontracting BOM. Responds 201, 400, 413, 415, 422.
  .post('/', create(subcontractingBomTable, SubcontractingBomCreate))

  // Retrieve a subcontracting BOM. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(subcontractingBomTable))

  // Update a subcontracting BOM. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(subcontractingBomTable, SubcontractingBomUpdate))

  // Delete a subcontracting BOM. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(subcontractingBomTable));
