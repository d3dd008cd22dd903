// Generated from spec/accounts/payment-reconciliation-payment-of-an-advance.yaml.
// Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import {
  PaymentReconciliationPaymentOfAnAdvanceCreate,
  PaymentReconciliationPaymentOfAnAdvanceQuery,
  paymentReconciliationPaymentOfAnAdvanceTable,
  PaymentReconciliationPaymentOfAnAdvanceUpdate,
} from './payment-reconciliation-payment-of-an-advance.schema.ts';

/**
 * The routes of `/api/accounts/payment-reconciliation-payment-of-an-advance`. All of them also answer 401, 403, 429,
 * 500 and 503.
 */
export const paymentReconciliationPaymentOfAnAdvanceRoutes = new Hono<Env>()

  // List the payment reconciliation payment of an advances of a parent, by idx. Answers 200, 400.
  .get('/', listItems(paymentReconciliationPaymentOfAnAdvanceTable, PaymentReconciliationPaymentOfAnAdvanceQuery))

  // Create a payment reconciliation payment of an advance. Answers 201, 400, 409, 413, 415, 422.
  .post('/', create(paymentReconciliationPaymentOfAnAdvanceTable, PaymentReconciliationPaymentOfAnAdvanceCreate))

  // Update a payment reconciliation payment of an advance. Answers 200, 400, 404, 409, 413, 415, 422.
  .patch('/:id', update(paymentReconciliationPaymentOfAnAdvanceTable, PaymentReconciliationPaymentOfAnAdvanceUpdate))

  // Delete a payment reconciliation payment of an advance. Answers 200, 400, 404.
  .delete('/:id', remove(paymentReconciliationPaymentOfAnAdvanceTable))

  // Reorder the payment reconciliation payment of an advances of a parent. Answers 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(paymentReconciliationPaymentOfAnAdvanceTable));
