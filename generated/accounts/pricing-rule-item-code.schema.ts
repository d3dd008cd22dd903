// Generated from spec/accounts/pricing-rule-item-code.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  counted,
  creatable,
  field,
  lineItem,
  listed,
  nullable,
  optional,
  query,
  updatable,
} from '../../runtime/index.ts';

/** An item that a pricing rule applies to. */
export const PricingRuleItemCode = z.strictObject({
  id: field.id(),
  idx: field.position(),
  /** Id of the parent. It is kept outside this service. */
  parent_id: nullable(field.text()),
  /** Type of the parent. */
  parent_type: field.text(),
  item_code: optional(field.text()),
  /** Unit of measure. */
  uom: optional(field.text()),
});
export type PricingRuleItemCode = z.infer<typeof PricingRuleItemCode>;

export const PricingRuleItemCodeCreate = creatable(PricingRuleItemCode);
export const PricingRuleItemCodeUpdate = updatable(PricingRuleItemCode);
export const PricingRuleItemCodeQuery = query(PricingRuleItemCode, {
  filter: ['parent_type', 'item_code'],
});
export const pricingRuleItemCodeTable = lineItem(
  'pricing_rule_item_code',
  PricingRuleItemCode,
  { path: 'accounts/pricing-rule-item-code', parent: { field: 'parent_id', typeField: 'parent_type' } },
  [listed(PricingRuleItemCodeQuery), counted({ by: ['parent_id'] })],
);
