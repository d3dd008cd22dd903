// Generated from spec/accounts/payment-reconciliation-payment.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import {
  PaymentReconciliationPaymentCreate,
  PaymentReconciliationPaymentQuery,
  paymentReconciliationPaymentTable,
  PaymentReconciliationPaymentUpdate,
} from './payment-reconciliation-payment.schema.ts';

/**
 * The routes of `/api/accounts/payment-reconciliation-payment`. All of them also respond 401, 403, 429, 500 and 503.
 */
export const paymentReconciliationPaymentRoutes = new Hono<Env>()

  // List payment reconciliation payments, newest first. Responds 200, 400.
  .get('/', list(paymentReconciliationPaymentTable, PaymentReconciliationPaymentQuery))

  // Create a payment reconciliation payment. Responds 201, 400, 413, 415, 422.
  .post('/', create(paymentReconciliationPaymentTable, PaymentReconciliationPaymentCreate))

  // Retrieve a payment reconciliation payment. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(paymentReconciliationPaymentTable))

  // Update a payment reconciliation payment. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(paymentReconciliationPaymentTable, PaymentReconciliationPaymentUpdate))

  // Delete a payment reconciliation payment. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(paymentReconciliationPaymentTable));
