// Generated from spec/sales/discount-brand.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, lineItem, nullable, optional, query, updatable } from '../../runtime/index.ts';

/** A brand that a discount is given on. */
export const DiscountBrand = z.strictObject({
  id: field.id(),
  idx: field.position(),
  /** Id of the parent. It is kept outside this service. */
  parent_id: nullable(field.text()),
  /** Type of the parent. */
  parent_type: field.text(),
  brand: optional(field.text()),
  /** Unit of measure. */
  unit: optional(field.text()),
});
export type DiscountBrand = z.infer<typeof DiscountBrand>;

export const DiscountBrandCreate = creatable(DiscountBrand);
export const DiscountBrandUpdate = updatable(DiscountBrand);
export const DiscountBrandQuery = query(DiscountBrand, {
  filter: ['parent_type', 'brand'],
  sort: ['brand'],
});
export const discountBrandTable = lineItem('discount_brand', DiscountBrand, {
  path: 'sales/discount-brand',
  parent: { field: 'parent_id', typeField: 'parent_type' },
  list: DiscountBrandQuery,
});
