// Generated from spec/sales/purchase-order.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { SalesOrderCreate, SalesOrderQuery, salesOrderTable, SalesOrderUpdate } from './purchase-order.schema.ts';

/** The routes of `/api/sales/purchase-order`. All of them also answer 401, 403, 429, 500 and 503. */
export const salesOrderRoutes = new Hono<Env>()

  // List sales orders, newest first. Answers 200, 400.
  .get('/', list(salesOrderTable, SalesOrderQuery))

  // Create a sales order. Answers 201, 400, 413, 415, 422.
  .post('/', create(salesOrderTable, SalesOrderCreate))

  // Retrieve a sales order. Answers 200, 400, 404.
  .get('/:id', retrieve(salesOrderTable))

  // Update a sales order. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(salesOrderTable, SalesOrderUpdate))

  // Delete a sales order. Answers 200, 400, 404.
  .delete('/:id', remove(salesOrderTable));
