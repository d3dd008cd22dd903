// Generated from spec/accounts/pricing-rule-item-code.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import {
  PricingRuleItemCodeCreate,
  PricingRuleItemCodeQuery,
  pricingRuleItemCodeTable,
  PricingRuleItemCodeUpdate,
} from './pricing-rule-item-code.schema.ts';

/** The routes of `/api/accounts/pricing-rule-item-code`. All of them also respond 401, 403, 429, 500 and 503. */
export const pricingRuleItemCodeRoutes = new Hono<Env>()

  // List the pricing rule item codes of a parent, by idx. Responds 200, 400.
  .get('/', listItems(pricingRuleItemCodeTable, PricingRuleItemCodeQuery))

  // Create a pricing rule item code. Responds 201, 400, 409, 413, 415, 422.
  .post('/', create(pricingRuleItemCodeTable, PricingRuleItemCodeCreate))

  // Update a pricing rule item code. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(pricingRuleItemCodeTable, PricingRuleItemCodeUpdate))

  // Delete a pricing rule item code. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(pricingRuleItemCodeTable))

  // Reorder the pricing rule item codes of a parent. Responds 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(pricingRuleItemCodeTable));
