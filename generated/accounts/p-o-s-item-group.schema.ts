// Generated from spec/accounts/p-o-s-item-group.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { counted, creatable, field, lineItem, listed, query, updatable } from '../../runtime/index.ts';

/** An item group that a point of sale profile includes. */
export const PosItemGroup = z.strictObject({
  id: field.id(),
  idx: field.position(),
  /** Point of sale profile. It is kept outside this service. */
  pos_profile_id: field.text(),
  item_group: field.text(),
});
export type PosItemGroup = z.infer<typeof PosItemGroup>;

export const PosItemGroupCreate = creatable(PosItemGroup);
export const PosItemGroupUpdate = updatable(PosItemGroup);
export const PosItemGroupQuery = query(PosItemGroup, {
  filter: ['item_group'],
});
export const posItemGroupTable = lineItem(
  'pos_item_group',
  PosItemGroup,
  { path: 'accounts/p-o-s-item-group', title: 'POS item group', parent: { field: 'pos_profile_id' } },
  [listed(PosItemGroupQuery), counted({ by: ['pos_profile_id'] })],
);
