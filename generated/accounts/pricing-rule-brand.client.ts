// Generated from spec/accounts/pricing-rule-brand.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A brand that a pricing rule applies to. */
export interface PricingRuleBrand {
  readonly id: string;
  idx: number;
  /** Id of the parent. It is kept outside this service. */
  parent_id: string | null;
  /** Type of the parent. */
  parent_type: string;
  brand: string | null;
  /** Unit of measure. */
  uom: string | null;
}

export type PricingRuleBrandCreate = client.Creatable<PricingRuleBrand, 'parent_id' | 'parent_type'>;
export type PricingRuleBrandUpdate = client.Updatable<PricingRuleBrand>;

/** The filters of lists of pricing rule brands. */
export interface PricingRuleBrandFilter extends client.ItemFilter {
  parent_type?: client.TextFilter;
  brand?: client.TextFilter;
}

/** The operations of `/api/accounts/pricing-rule-brand`. */
export const pricingRuleBrandOperations = (requests: client.Requests) => {
  const path = '/api/accounts/pricing-rule-brand';
  return {
    /** List the pricing rule brands of a parent, by idx. */
    ...client.itemLists<PricingRuleBrand, PricingRuleBrandFilter>(requests, path),

    /** Create a pricing rule brand. */
    create: client.create<PricingRuleBrand, PricingRuleBrandCreate>(requests, path),

    /** Update a pricing rule brand. */
    update: client.update<PricingRuleBrand, PricingRuleBrandUpdate>(requests, path),

    /** Delete a pricing rule brand. */
    delete: client.remove(requests, path),

    /** Reorder the pricing rule brands of a parent. */
    reorder: client.reorder<PricingRuleBrand>(requests, path),

    /** Count pricing rule brands. */
    count: client.itemCounts<PricingRuleBrand, PricingRuleBrandFilter, 'parent_id', never>(requests, path),
  };
};
