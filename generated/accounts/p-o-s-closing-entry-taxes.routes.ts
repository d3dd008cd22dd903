// Generated from spec/accounts/p-o-s-closing-entry-taxes.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import {
  PosClosingEntryTaxesCreate,
  PosClosingEntryTaxesQuery,
  posClosingEntryTaxesTable,
  PosClosingEntryTaxesUpdate,
} from './p-o-s-closing-entry-taxes.schema.ts';

/** The routes of `/api/accounts/p-o-s-closing-entry-taxes`. All of them also respond 401, 403, 429, 500 and 503. */
export const posClosingEntryTaxesRoutes = new Hono<Env>()

  // List the POS closing entry taxes of a parent, by idx. Responds 200, 400.
  .get('/', listItems(posClosingEntryTaxesTable, PosClosingEntryTaxesQuery))

  // Create POS closing entry taxes. Responds 201, 400, 409, 413, 415, 422.
  .post('/', create(posClosingEntryTaxesTable, PosClosingEntryTaxesCreate))

  // Update POS closing entry taxes. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(posClosingEntryTaxesTable, PosClosingEntryTaxesUpdate))

  // Delete POS closing entry taxes. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(posClosingEntryTaxesTable))

  // Reorder the POS closing entry taxes of a parent. Responds 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(posClosingEntryTaxesTable));
