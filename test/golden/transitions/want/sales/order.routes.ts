// Generated from spec/sales/order.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { change, create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { OrderCreate, OrderQuery, orderTable, OrderUpdate } from './order.schema.ts';

/** The routes of `/api/sales/order`. All of them also respond 401, 403, 429, 500 and 503. */
export const orderRoutes = new Hono<Env>()

  // List orders, newest first. Responds 200, 400.
  .get('/', list(orderTable, OrderQuery))

  // Create an order. Responds 201, 400, 413, 415, 422.
  .post('/', create(orderTable, OrderCreate))

  // Retrieve an order. Responds 200, 400, 404.
  .get('/:id', retrieve(orderTable))

  // Update an order. Responds 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(orderTable, OrderUpdate))

  // Delete an order. Responds 200, 400, 404.
  .delete('/:id', remove(orderTable))

  // Submit an order: status from draft to submitted. Responds 200, 400, 404, 409.
  .post('/:id/submit', change(orderTable, 'submit'))

  // Deliver an order: status from submitted or can't be delivered to in delivery. Responds 200, 400, 404, 409.
  .post('/:id/deliver', change(orderTable, 'deliver'))

  // Give up an order: status from in delivery to can't be delivered. Responds 200, 400, 404, 409.
  .post('/:id/give-up', change(orderTable, 'give-up'))

  // Cancel an order: status from draft or submitted or in delivery or can't be delivered to cancelled. Responds 200,
  // 400, 404, 409.
  .post('/:id/cancel', change(orderTable, 'cancel'))

  // Remind an order: payment from open to overdue. Responds 200, 400, 404, 409.
  .post('/:id/remind', change(orderTable, 'remind'))

  // Mark paid an order: payment from open or overdue to paid. Responds 200, 400, 404, 409.
  .post('/:id/mark-paid', change(orderTable, 'mark-paid'));
