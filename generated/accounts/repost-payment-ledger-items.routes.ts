// Generated from spec/accounts/repost-payment-ledger-items.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import {
  RepostPaymentLedgerItemsCreate,
  RepostPaymentLedgerItemsQuery,
  repostPaymentLedgerItemsTable,
  RepostPaymentLedgerItemsUpdate,
} from './repost-payment-ledger-items.schema.ts';

/** The routes of `/api/accounts/repost-payment-ledger-items`. All of them also respond 401, 403, 429, 500 and 503. */
export const repostPaymentLedgerItemsRoutes = new Hono<Env>()

  // List the repost payment ledger items of a parent, by idx. Responds 200, 400.
  .get('/', listItems(repostPaymentLedgerItemsTable, RepostPaymentLedgerItemsQuery))

  // Create repost payment ledger items. Responds 201, 400, 409, 413, 415, 422.
  .post('/', create(repostPaymentLedgerItemsTable, RepostPaymentLedgerItemsCreate))

  // Update repost payment ledger items. Responds 200, 400, 404, 409, 412, 413, 415, 422.
  .patch('/:id', update(repostPaymentLedgerItemsTable, RepostPaymentLedgerItemsUpdate))

  // Delete repost payment ledger items. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(repostPaymentLedgerItemsTable))

  // Reorder the repost payment ledger items of a parent. Responds 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(repostPaymentLedgerItemsTable));
