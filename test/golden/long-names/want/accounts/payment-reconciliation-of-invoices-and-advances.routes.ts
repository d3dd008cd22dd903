// Generated from spec/accounts/payment-reconciliation-of-invoices-and-advances.yaml.
// Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { change, create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import {
  PaymentReconciliationOfInvoicesAndAdvancesCreate,
  PaymentReconciliationOfInvoicesAndAdvancesQuery,
  paymentReconciliationOfInvoicesAndAdvancesTable,
  PaymentReconciliationOfInvoicesAndAdvancesUpdate,
} from './payment-reconciliation-of-invoices-and-advances.schema.ts';

/**
 * The routes of `/api/accounts/payment-reconciliation-of-invoices-and-advances`. All of them also answer 401, 403, 429,
 * 500 and 503.
 */
export const paymentReconciliationOfInvoicesAndAdvancesRoutes = new Hono<Env>()

  // List payment reconciliation of invoices and advances, newest first. Answers 200, 400.
  .get('/', list(paymentReconciliationOfInvoicesAndAdvancesTable, PaymentReconciliationOfInvoicesAndAdvancesQuery))

  // Create payment reconciliation of invoices and advances. Answers 201, 400, 413, 415, 422.
  .post('/', create(paymentReconciliationOfInvoicesAndAdvancesTable, PaymentReconciliationOfInvoicesAndAdvancesCreate))

  // Retrieve payment reconciliation of invoices and advances. Answers 200, 400, 404.
  .get('/:id', retrieve(paymentReconciliationOfInvoicesAndAdvancesTable))

  // Update payment reconciliation of invoices and advances. Answers 200, 400, 404, 413, 415, 422.
  .patch(
    '/:id',
    update(paymentReconciliationOfInvoicesAndAdvancesTable, PaymentReconciliationOfInvoicesAndAdvancesUpdate),
  )

  // Delete payment reconciliation of invoices and advances. Answers 200, 400, 404.
  .delete('/:id', remove(paymentReconciliationOfInvoicesAndAdvancesTable))

  // Begin payment reconciliation of invoices and advances: state_of_the_reconciliation_of_invoices_and_advances from
  // not yet begun to begun by the bookkeeper. Answers 200, 400, 404, 409.
  .post('/:id/begin', change(paymentReconciliationOfInvoicesAndAdvancesTable, 'begin'))

  // Check payment reconciliation of invoices and advances: state_of_the_reconciliation_of_invoices_and_advances from
  // begun by the bookkeeper to checked by the auditor. Answers 200, 400, 404, 409.
  .post('/:id/check', change(paymentReconciliationOfInvoicesAndAdvancesTable, 'check'))

  // Approve payment reconciliation of invoices and advances: state_of_the_reconciliation_of_invoices_and_advances from
  // checked by the auditor to approved by the management. Answers 200, 400, 404, 409.
  .post('/:id/approve', change(paymentReconciliationOfInvoicesAndAdvancesTable, 'approve'))

  // Send back to the bookkeeper payment reconciliation of invoices and advances:
  // state_of_the_reconciliation_of_invoices_and_advances from checked by the auditor or approved by the management to
  // begun by the bookkeeper. Answers 200, 400, 404, 409.
  .post(
    '/:id/send-back-to-the-bookkeeper',
    change(paymentReconciliationOfInvoicesAndAdvancesTable, 'send-back-to-the-bookkeeper'),
  );
