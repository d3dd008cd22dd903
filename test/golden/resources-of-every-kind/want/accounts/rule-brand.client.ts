// Generated from spec/accounts/rule-brand.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A brand that a rule is for. */
export interface RuleBrand {
  readonly id: string;
  idx: number;
  parent_id: string | null;
  parent_type: string;
  brand: string;
}

export type RuleBrandCreate = client.Creatable<RuleBrand, 'brand' | 'parent_id' | 'parent_type'>;

/** The operations of `/api/accounts/rule-brand`. */
export const ruleBrandOperations = (requests: client.Requests) => {
  const path = '/api/accounts/rule-brand';
  return {
    /** List the rule brands of a parent, by idx. */
    ...client.itemLists<RuleBrand, client.ItemFilter>(requests, path),

    /** Create a rule brand. */
    create: client.create<RuleBrand, RuleBrandCreate>(requests, path),
  };
};
