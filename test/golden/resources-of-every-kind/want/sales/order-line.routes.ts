// Generated from spec/sales/order-line.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import { OrderLineCreate, OrderLineQuery, orderLineTable, OrderLineUpdate } from './order-line.schema.ts';

/** The routes of `/api/sales/order-line`. All of them also respond 401, 403, 429, 500 and 503. */
export const orderLineRoutes = new Hono<Env>()

  // List the order lines of a parent, by idx. Responds 200, 400.
  .get('/', listItems(orderLineTable, OrderLineQuery))

  // Create an order line. Responds 201, 400, 409, 413, 415, 422.
  .post('/', create(orderLineTable, OrderLineCreate))

  // Update an order line. Responds 200, 400, 404, 409, 412, 413, 415, 422.
  .patch('/:id', update(orderLineTable, OrderLineUpdate))

  // Delete an order line. Responds 200, 400, 404, 409, 412, 422.
  .delete('/:id', remove(orderLineTable))

  // Reorder the order lines of a parent. Responds 200, 400, 404, 409, 413, 415, 422.
  .post('/reorder', reorder(orderLineTable));
