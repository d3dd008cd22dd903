// Generated from spec/accounts/rule-brand.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, lineItem, nullable, position, text, updatable } from '../../runtime/index.ts';

/** A brand that a rule is for. */
export const RuleBrand = z.strictObject({
  id: id(),
  idx: position(),
  parent_id: nullable(text()),
  parent_type: text(),
  brand: text(),
});
export type RuleBrand = z.infer<typeof RuleBrand>;

export const RuleBrandCreate = creatable(RuleBrand);
export const RuleBrandUpdate = updatable(RuleBrand);
export const ruleBrandTable = lineItem('rule_brand', RuleBrand, {
  parent: { field: 'parent_id', typeField: 'parent_type' },
});
