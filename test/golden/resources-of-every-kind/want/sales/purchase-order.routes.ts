// Generated from spec/sales/purchase-order.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { change, create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { SalesOrderCreate, SalesOrderQuery, salesOrderTable, SalesOrderUpdate } from './purchase-order.schema.ts';

/** The routes of `/api/sales/purchase-order`. All of them also respond 401, 403, 429, 500 and 503. */
export const salesOrderRoutes = new Hono<Env>()

  // List sales orders, newest first. Responds 200, 400.
  .get('/', list(salesOrderTable, SalesOrderQuery))

  // Create a sales order. Responds 201, 400, 409, 413, 415, 422.
  .post('/', create(salesOrderTable, SalesOrderCreate))

  // Retrieve a sales order. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(salesOrderTable))

  // Update a sales order. Responds 200, 400, 404, 409, 412, 413, 415, 422.
  .patch('/:id', update(salesOrderTable, SalesOrderUpdate))

  // Delete a sales order. Responds 200, 400, 404, 409, 412, 422.
  .delete('/:id', remove(salesOrderTable))

  // Submit a sales order: status from draft to submitted. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/submit', change(salesOrderTable, 'submit'))

  // Deliver a sales order: status from submitted or can't be delivered to in delivery. Responds 200, 400, 404, 409,
  // 412, 422.
  .post('/:id/deliver', change(salesOrderTable, 'deliver'))

  // Give up a sales order: status from in delivery to can't be delivered. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/give-up', change(salesOrderTable, 'give-up'))

  // Cancel a sales order: status from draft or submitted or in delivery or can't be delivered to cancelled. Responds
  // 200, 400, 404, 409, 412, 422.
  .post('/:id/cancel', change(salesOrderTable, 'cancel'))

  // Remind a sales order: payment from open to overdue. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/remind', change(salesOrderTable, 'remind'))

  // Mark paid a sales order: payment from open or overdue to paid. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/mark-paid', change(salesOrderTable, 'mark-paid'));
