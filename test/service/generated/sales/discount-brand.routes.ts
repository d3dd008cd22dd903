// Generated from spec/sales/discount-brand.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import {
  DiscountBrandCreate,
  DiscountBrandQuery,
  discountBrandTable,
  DiscountBrandUpdate,
} from './discount-brand.schema.ts';

/** The routes of `/api/sales/discount-brand`. All of them also answer 401, 403, 429, 500 and 503. */
export const discountBrandRoutes = new Hono<Env>()

  // List the discount brands of a parent, by idx. Answers 200, 400.
  .get('/', listItems(discountBrandTable, DiscountBrandQuery))

  // Create a discount brand. Answers 201, 400, 409, 413, 415, 422.
  .post('/', create(discountBrandTable, DiscountBrandCreate))

  // Update a discount brand. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(discountBrandTable, DiscountBrandUpdate))

  // Delete a discount brand. Answers 200, 400, 404.
  .delete('/:id', remove(discountBrandTable))

  // Reorder the discount brands of a parent. Answers 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(discountBrandTable));
