// Generated from spec/accounts/invoice-discounting.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { change, create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import {
  InvoiceDiscountingCreate,
  InvoiceDiscountingQuery,
  invoiceDiscountingTable,
  InvoiceDiscountingUpdate,
} from './invoice-discounting.schema.ts';

/** The routes of `/api/accounts/invoice-discounting`. All of them also respond 401, 403, 429, 500 and 503. */
export const invoiceDiscountingRoutes = new Hono<Env>()

  // List invoice discountings, newest first. Responds 200, 400.
  .get('/', list(invoiceDiscountingTable, InvoiceDiscountingQuery))

  // Create an invoice discounting. Responds 201, 400, 413, 415, 422.
  .post('/', create(invoiceDiscountingTable, InvoiceDiscountingCreate))

  // Retrieve an invoice discounting. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(invoiceDiscountingTable))

  // Update an invoice discounting. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(invoiceDiscountingTable, InvoiceDiscountingUpdate))

  // Delete an invoice discounting. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(invoiceDiscountingTable))

  // Submit an invoice discounting: status from draft to submitted. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/submit', change(invoiceDiscountingTable, 'submit'))

  // Cancel an invoice discounting: status from submitted to cancelled. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/cancel', change(invoiceDiscountingTable, 'cancel'));
