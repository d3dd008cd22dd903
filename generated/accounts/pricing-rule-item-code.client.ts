// Generated from spec/accounts/pricing-rule-item-code.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** An item that a pricing rule applies to. */
export interface PricingRuleItemCode {
  readonly id: string;
  idx: number;
  /** Id of the parent. It is kept outside this service. */
  parent_id: string | null;
  /** Type of the parent. */
  parent_type: string;
  item_code: string | null;
  /** Unit of measure. */
  uom: string | null;
}

export type PricingRuleItemCodeCreate = client.Creatable<PricingRuleItemCode, 'parent_id' | 'parent_type'>;
export type PricingRuleItemCodeUpdate = client.Updatable<PricingRuleItemCode>;

/** The filters of lists of pricing rule item codes. */
export interface PricingRuleItemCodeFilter extends client.ItemFilter {
  parent_type?: client.TextFilter;
  item_code?: client.TextFilter;
}

/** The operations of `/api/accounts/pricing-rule-item-code`. */
export const pricingRuleItemCodeOperations = (requests: client.Requests) => {
  const path = '/api/accounts/pricing-rule-item-code';
  return {
    /** List the pricing rule item codes of a parent, by idx. */
    ...client.itemLists<PricingRuleItemCode, PricingRuleItemCodeFilter>(requests, path),

    /** Create a pricing rule item code. */
    create: client.create<PricingRuleItemCode, PricingRuleItemCodeCreate>(requests, path),

    /** Update a pricing rule item code. */
    update: client.update<PricingRuleItemCode, PricingRuleItemCodeUpdate>(requests, path),

    /** Delete a pricing rule item code. */
    delete: client.remove(requests, path),

    /** Reorder the pricing rule item codes of a parent. */
    reorder: client.reorder<PricingRuleItemCode>(requests, path),

    /** Count pricing rule item codes. */
    count: client.itemCounts<PricingRuleItemCode, PricingRuleItemCodeFilter, 'parent_id', never>(requests, path),
  };
};
