// Generated from spec/manufacturing/b-o-m-item.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import { BomItemCreate, BomItemQuery, bomItemTable, BomItemUpdate } from './b-o-m-item.schema.ts';

/** The routes of `/api/manufacturing/b-o-m-item`. All of them also respond 401, 403, 429, 500 and 503. */
export const bomItemRoutes = new Hono<Env>()

  // List the BOM items of a parent, by idx. Responds 200, 400.
  .get('/', listItems(bomItemTable, BomItemQuery))

  // Create a BOM item. Responds 201, 400, 409, 413, 415, 422.
  .post('/', create(bomItemTable, BomItemCreate))

  // Update a BOM item. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(bomItemTable, BomItemUpdate))

  // Delete a BOM item. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(bomItemTable))

  // Reorder the BOM items of a parent. Responds 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(bomItemTable));
