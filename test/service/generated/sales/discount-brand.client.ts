// Generated from spec/sales/discount-brand.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A brand that a discount is given on. */
export interface DiscountBrand {
  readonly id: string;
  idx: number;
  /** Id of the parent. It is kept outside this service. */
  parent_id: string | null;
  /** Type of the parent. */
  parent_type: string;
  brand: string | null;
  /** Unit of measure. */
  unit: string | null;
}

export type DiscountBrandCreate = client.Creatable<DiscountBrand, 'parent_id' | 'parent_type'>;
export type DiscountBrandUpdate = client.Updatable<DiscountBrand>;

/** The filters of lists of discount brands. */
export interface DiscountBrandFilter extends client.ItemFilter {
  parent_type?: client.TextFilter;
  brand?: client.TextFilter;
}

export type DiscountBrandSort = 'brand';

/** The operations of `/api/sales/discount-brand`. */
export const discountBrandOperations = (requests: client.Requests) => {
  const path = '/api/sales/discount-brand';
  return {
    /** List the discount brands of a parent, by idx. */
    ...client.itemLists<DiscountBrand, DiscountBrandFilter, DiscountBrandSort>(requests, path),

    /** Create a discount brand. */
    create: client.create<DiscountBrand, DiscountBrandCreate>(requests, path),

    /** Update a discount brand. */
    update: client.update<DiscountBrand, DiscountBrandUpdate>(requests, path),

    /** Delete a discount brand. */
    delete: client.remove(requests, path),

    /** Reorder the discount brands of a parent. */
    reorder: client.reorder<DiscountBrand>(requests, path),
  };
};
