// Generated from spec/accounts/discounted-invoice.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import {
  DiscountedInvoiceCreate,
  DiscountedInvoiceQuery,
  discountedInvoiceTable,
  DiscountedInvoiceUpdate,
} from './discounted-invoice.schema.ts';

/** The routes of `/api/accounts/discounted-invoice`. All of them also respond 401, 403, 429, 500 and 503. */
export const discountedInvoiceRoutes = new Hono<Env>()

  // List the discounted invoices of a parent, by idx. Responds 200, 400.
  .get('/', listItems(discountedInvoiceTable, DiscountedInvoiceQuery))

  // Create a discounted invoice. Responds 201, 400, 409, 413, 415, 422.
  .post('/', create(discountedInvoiceTable, DiscountedInvoiceCreate))

  // Update a discounted invoice. Responds 200, 400, 404, 409, 412, 413, 415, 422.
  .patch('/:id', update(discountedInvoiceTable, DiscountedInvoiceUpdate))

  // Delete a discounted invoice. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(discountedInvoiceTable))

  // Reorder the discounted invoices of a parent. Responds 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(discountedInvoiceTable));
