// Generated from spec/order/group.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, lineItem, optional, query, updatable } from '../../runtime/index.ts';

/** A part of a selection. */
export const Group = z.strictObject({
  id: field.id(),
  idx: field.position(),
  references: field.text(),
  index: optional(field.integer()),
  values: optional(field.text()),
  idx_by: optional(field.boolean(), false),
});
export type Group = z.infer<typeof Group>;

export const GroupCreate = creatable(Group);
export const GroupUpdate = updatable(Group);
export const GroupQuery = query(Group);
export const groupTable = lineItem('group', Group, {
  path: 'order/group',
  parent: { field: 'references', table: 'select' },
  list: GroupQuery,
});
