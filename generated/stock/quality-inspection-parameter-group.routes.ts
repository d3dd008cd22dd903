// Generated from spec/stock/quality-inspection-parameter-group.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import {
  QualityInspectionParameterGroupCreate,
  QualityInspectionParameterGroupQuery,
  qualityInspectionParameterGroupTable,
  QualityInspectionParameterGroupUpdate,
} from './quality-inspection-parameter-group.schema.ts';

/**
 * The routes of `/api/stock/quality-inspection-parameter-group`. All of them also respond 401, 403, 429, 500 and 503.
 */
export const qualityInspectionParameterGroupRoutes = new Hono<Env>()

  // List quality inspection parameter groups, newest first. Responds 200, 400.
  .get('/', list(qualityInspectionParameterGroupTable, QualityInspectionParameterGroupQuery))

  // Create a quality inspection parameter group. Responds 201, 400, 413, 415, 422.
  .post('/', create(qualityInspectionParameterGroupTable, QualityInspectionParameterGroupCreate))

  // Retrieve a quality inspection parameter group. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(qualityInspectionParameterGroupTable))

  // Update a quality inspection parameter group. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(qualityInspectionParameterGroupTable, QualityInspectionParameterGroupUpdate))

  // Delete a quality inspection parameter group. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(qualityInspectionParameterGroupTable));
