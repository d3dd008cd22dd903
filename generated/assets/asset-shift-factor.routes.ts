// Generated from spec/assets/asset-shift-factor.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import {
  AssetShiftFactorCreate,
  AssetShiftFactorQuery,
  assetShiftFactorTable,
  AssetShiftFactorUpdate,
} from './asset-shift-factor.schema.ts';

/** The routes of `/api/assets/asset-shift-factor`. All of them also respond 401, 403, 429, 500 and 503. */
export const assetShiftFactorRoutes = new Hono<Env>()

  // List asset shift factors, newest first. Responds 200, 400.
  .get('/', list(assetShiftFactorTable, AssetShiftFactorQuery))

  // Create an asset shift factor. Responds 201, 400, 413, 415, 422.
  .post('/', create(assetShiftFactorTable, AssetShiftFactorCreate))

  // Retrieve an asset shift factor. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(assetShiftFactorTable))

  // Update an asset shift factor. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(assetShiftFactorTable, AssetShiftFactorUpdate))

  // Delete an asset shift factor. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(assetShiftFactorTable));
