// Generated from spec/order/group.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { boolean, creatable, id, integer, lineItem, optional, position, text, updatable } from '../../runtime/index.ts';

/** A part of a selection. */
export const Group = z.strictObject({
  id: id(),
  idx: position(),
  references: text(),
  index: optional(integer()),
  values: optional(text()),
  idx_by: optional(boolean(), false),
});
export type Group = z.infer<typeof Group>;

export const GroupCreate = creatable(Group);
export const GroupUpdate = updatable(Group);
export const groupTable = lineItem('group', Group, {
  parent: { field: 'references', table: 'select' },
});
