// Generated from spec/booking/slot.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, lineItem, query, updatable } from '../../runtime/index.ts';

/** A span of time in which something can be booked. */
export const Slot = z.strictObject({
  id: field.id(),
  idx: field.position(),
  from_time: field.text(),
  /** The calendar that it stands in. */
  calendar_id: field.text(),
});
export type Slot = z.infer<typeof Slot>;

export const SlotCreate = creatable(Slot);
export const SlotUpdate = updatable(Slot);
export const SlotQuery = query(Slot);
export const slotTable = lineItem('slot', Slot, {
  path: 'booking/slot',
  parent: { field: 'calendar_id', table: 'calendar' },
  list: SlotQuery,
});
