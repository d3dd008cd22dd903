// Generated from spec/booking/slot.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A span of time in which something can be booked. */
export interface Slot {
  readonly id: string;
  idx: number;
  from_time: string;
  /** The calendar that it stands in. */
  calendar_id: string;
}

export type SlotCreate = client.Creatable<Slot, 'calendar_id' | 'from_time'>;
export type SlotUpdate = client.Updatable<Slot>;

/** The operations of `/api/booking/slot`. */
export const slotOperations = (requests: client.Requests) => {
  const path = '/api/booking/slot';
  return {
    /** List the slots of a parent, by idx. */
    ...client.itemLists<Slot, client.ItemFilter>(requests, path),

    /** Create a slot. */
    create: client.create<Slot, SlotCreate>(requests, path),

    /** Update a slot. */
    update: client.update<Slot, SlotUpdate>(requests, path),

    /** Delete a slot. */
    delete: client.remove(requests, path),

    /** Reorder the slots of a parent. */
    reorder: client.reorder<Slot>(requests, path),
  };
};
