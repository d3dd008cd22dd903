// Generated from spec/accounts/repost-payment-ledger.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { change, create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import {
  RepostPaymentLedgerCreate,
  RepostPaymentLedgerQuery,
  repostPaymentLedgerTable,
  RepostPaymentLedgerUpdate,
} from './repost-payment-ledger.schema.ts';

/** The routes of `/api/accounts/repost-payment-ledger`. All of them also respond 401, 403, 429, 500 and 503. */
export const repostPaymentLedgerRoutes = new Hono<Env>()

  // List repost payment ledgers, newest first. Responds 200, 400.
  .get('/', list(repostPaymentLedgerTable, RepostPaymentLedgerQuery))

  // Create a repost payment ledger. Responds 201, 400, 413, 415, 422.
  .post('/', create(repostPaymentLedgerTable, RepostPaymentLedgerCreate))

  // Retrieve a repost payment ledger. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(repostPaymentLedgerTable))

  // Update a repost payment ledger. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(repostPaymentLedgerTable, RepostPaymentLedgerUpdate))

  // Delete a repost payment ledger. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(repostPaymentLedgerTable))

  // Submit a repost payment ledger: status from draft to submitted. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/submit', change(repostPaymentLedgerTable, 'submit'))

  // Cancel a repost payment ledger: status from submitted to cancelled. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/cancel', change(repostPaymentLedgerTable, 'cancel'));
