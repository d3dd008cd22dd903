// Generated from spec/accounts/pricing-rule-brand.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import {
  PricingRuleBrandCreate,
  PricingRuleBrandQuery,
  pricingRuleBrandTable,
  PricingRuleBrandUpdate,
} from './pricing-rule-brand.schema.ts';

/** The routes of `/api/accounts/pricing-rule-brand`. All of them also respond 401, 403, 429, 500 and 503. */
export const pricingRuleBrandRoutes = new Hono<Env>()

  // List the pricing rule brands of a parent, by idx. Responds 200, 400.
  .get('/', listItems(pricingRuleBrandTable, PricingRuleBrandQuery))

  // Create a pricing rule brand. Responds 201, 400, 409, 413, 415, 422.
  .post('/', create(pricingRuleBrandTable, PricingRuleBrandCreate))

  // Update a pricing rule brand. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(pricingRuleBrandTable, PricingRuleBrandUpdate))

  // Delete a pricing rule brand. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(pricingRuleBrandTable))

  // Reorder the pricing rule brands of a parent. Responds 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(pricingRuleBrandTable));
