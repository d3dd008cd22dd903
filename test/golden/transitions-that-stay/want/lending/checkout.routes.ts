// Generated from spec/lending/checkout.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { change, changeWith, create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import {
  CheckoutCreate,
  CheckoutExtendInput,
  CheckoutQuery,
  checkoutTable,
  CheckoutUpdate,
} from './checkout.schema.ts';

/** The routes of `/api/lending/checkout`. All of them also respond 401, 403, 429, 500 and 503. */
export const checkoutRoutes = new Hono<Env>()

  // List checkouts, newest first. Responds 200, 400.
  .get('/', list(checkoutTable, CheckoutQuery))

  // Create a checkout. Responds 201, 400, 409, 413, 415, 422.
  .post('/', create(checkoutTable, CheckoutCreate))

  // Retrieve a checkout. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(checkoutTable))

  // Update a checkout. Responds 200, 400, 404, 409, 412, 413, 415, 422.
  .patch('/:id', update(checkoutTable, CheckoutUpdate))

  // Delete a checkout. Responds 200, 400, 404, 409, 412, 422.
  .delete('/:id', remove(checkoutTable))

  // Extend a checkout: status stays handed_out. Responds 200, 400, 404, 409, 412, 413, 415, 422.
  .post('/:id/extend', changeWith(checkoutTable, 'extend', CheckoutExtendInput))

  // Reset a checkout: status stays reserved or handed_out. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/reset', change(checkoutTable, 'reset'))

  // Remind a checkout: status stays handed_out. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/remind', change(checkoutTable, 'remind'))

  // Return a checkout: status from handed_out to back. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/return', change(checkoutTable, 'return'));
