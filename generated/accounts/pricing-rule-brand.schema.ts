// Generated from spec/accounts/pricing-rule-brand.yaml. Edit the spec, then run `npm run generate`.
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

/** A brand that a pricing rule applies to. */
export const PricingRuleBrand = z.strictObject({
  id: field.id(),
  idx: field.position(),
  /** Id of the parent. It is kept outside this service. */
  parent_id: nullable(field.text()),
  /** Type of the parent. */
  parent_type: field.text(),
  brand: optional(field.text()),
  /** Unit of measure. */
  uom: optional(field.text()),
});
export type PricingRuleBrand = z.infer<typeof PricingRuleBrand>;

export const PricingRuleBrandCreate = creatable(PricingRuleBrand);
export const PricingRuleBrandUpdate = updatable(PricingRuleBrand);
export const PricingRuleBrandQuery = query(PricingRuleBrand, {
  filter: ['parent_type', 'brand'],
});
export const pricingRuleBrandTable = lineItem(
  'pricing_rule_brand',
  PricingRuleBrand,
  { path: 'accounts/pricing-rule-brand', parent: { field: 'parent_id', typeField: 'parent_type' } },
  [listed(PricingRuleBrandQuery), counted({ by: ['parent_id'] })],
);
