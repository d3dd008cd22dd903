// Generated from spec/manufacturing/b-o-m-explosion-item.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import {
  BomExplosionItemCreate,
  BomExplosionItemQuery,
  bomExplosionItemTable,
  BomExplosionItemUpdate,
} from './b-o-m-explosion-item.schema.ts';

/** The routes of `/api/manufacturing/b-o-m-explosion-item`. All of them also respond 401, 403, 429, 500 and 503. */
export const bomExplosionItemRoutes = new Hono<Env>()

  // List the BOM explosion items of a parent, by idx. Responds 200, 400.
  .get('/', listItems(bomExplosionItemTable, BomExplosionItemQuery))

  // Create a BOM explosion item. Responds 201, 400, 409, 413, 415, 422.
  .post('/', create(bomExplosionItemTable, BomExplosionItemCreate))

  // Update a BOM explosion item. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(bomExplosionItemTable, BomExplosionItemUpdate))

  // Delete a BOM explosion item. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(bomExplosionItemTable))

  // Reorder the BOM explosion items of a parent. Responds 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(bomExplosionItemTable));
