// Generated from spec/accounts/pricing-rule-item-code.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, lineItem, nullable, optional, position, text, updatable } from '../../runtime/index.ts';

/** An item that a pricing rule applies to. */
export const PricingRuleItemCode = z.strictObject({
  id: id(),
  idx: position(),
  /** Id of the parent. It is kept outside this service. */
  parent_id: nullable(text()),
  /** Type of the parent. */
  parent_type: text(),
  item_code: optional(text()),
  /** Unit of measure. */
  uom: optional(text()),
});
export type PricingRuleItemCode = z.infer<typeof PricingRuleItemCode>;

export const PricingRuleItemCodeCreate = creatable(PricingRuleItemCode);
export const PricingRuleItemCodeUpdate = updatable(PricingRuleItemCode);
export const pricingRuleItemCodeTable = lineItem('pricing_rule_item_code', PricingRuleItemCode, {
  parent: { field: 'parent_id', typeField: 'parent_type' },
});
