// Generated from spec/sales/order.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { changeWith, create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { OrderCancelInput, OrderCreate, OrderQuery, OrderSendInput, orderTable, OrderUpdate } from './order.schema.ts';

/** The routes of `/api/sales/order`. All of them also respond 401, 403, 429, 500 and 503. */
export const orderRoutes = new Hono<Env>()

  // List orders, newest first. Responds 200, 400.
  .get('/', list(orderTable, OrderQuery))

  // Create an order. Responds 201, 400, 409, 413, 415, 422.
  .post('/', create(orderTable, OrderCreate))

  // Retrieve an order. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(orderTable))

  // Update an order. Responds 200, 400, 404, 409, 412, 413, 415, 422.
  .patch('/:id', update(orderTable, OrderUpdate))

  // Delete an order. Responds 200, 400, 404, 409, 412, 422.
  .delete('/:id', remove(orderTable))

  // Send an order: status from draft to sent. Responds 200, 400, 404, 409, 412, 413, 415, 422.
  .post('/:id/send', changeWith(orderTable, 'send', OrderSendInput))

  // Cancel an order: status from draft or sent to cancelled. Responds 200, 400, 404, 409, 412, 413, 415, 422.
  .post('/:id/cancel', changeWith(orderTable, 'cancel', OrderCancelInput));
