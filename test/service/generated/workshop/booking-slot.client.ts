// Generated from spec/workshop/booking-slot.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A span of time on a day of the week in which visits can be booked. */
export interface BookingSlot {
  readonly id: string;
  idx: number;
  booking_settings_id: string;
  day_of_week: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';
  from_time: string;
  to_time: string;
}

export type BookingSlotCreate = client.Creatable<
  BookingSlot,
  'booking_settings_id' | 'day_of_week' | 'from_time' | 'to_time'
>;
export type BookingSlotUpdate = client.Updatable<BookingSlot>;

/** The filters of lists of booking slots. */
export interface BookingSlotFilter extends client.ItemFilter {
  day_of_week?: client.TextFilter<BookingSlot['day_of_week']>;
}

/** The operations of `/api/workshop/booking-slot`. */
export const bookingSlotOperations = (requests: client.Requests) => {
  const path = '/api/workshop/booking-slot';
  return {
    /** List the booking slots of a parent, by idx. */
    ...client.itemLists<BookingSlot, BookingSlotFilter>(requests, path),

    /** Create a booking slot. */
    create: client.create<BookingSlot, BookingSlotCreate>(requests, path),

    /** Update a booking slot. */
    update: client.update<BookingSlot, BookingSlotUpdate>(requests, path),

    /** Delete a booking slot. */
    delete: client.remove(requests, path),

    /** Reorder the booking slots of a parent. */
    reorder: client.reorder<BookingSlot>(requests, path),
  };
};
