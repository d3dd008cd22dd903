// Generated from spec/accounts/rule-brand.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, lineItem, listed, nullable, query } from '../../runtime/index.ts';

/** A brand that a rule is for. */
export const RuleBrand = z.strictObject({
  id: field.id(),
  idx: field.position(),
  parent_id: nullable(field.text()),
  parent_type: field.text(),
  brand: field.text(),
});
export type RuleBrand = z.infer<typeof RuleBrand>;

export const RuleBrandCreate = creatable(RuleBrand);
export const RuleBrandQuery = query(RuleBrand);
export const ruleBrandTable = lineItem(
  'rule_brand',
  RuleBrand,
  {
    path: 'accounts/rule-brand',
    parent: { field: 'parent_id', typeField: 'parent_type' },
    operations: ['list', 'create'],
  },
  [listed(RuleBrandQuery)],
);
