// Generated from spec/booking/calendar.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';
import type { Slot } from './slot.client.ts';

/** When something can be booked. */
export interface Calendar {
  readonly id: string;
  name: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type CalendarUpdate = client.Updatable<Calendar>;

/** The line items that calendars can be shown with. */
export interface CalendarExpand {
  slot: Slot;
}

/** The operations of `/api/booking/calendar`. */
export const calendarOperations = (requests: client.Requests) => {
  const path = '/api/booking/calendar';
  return {
    /** Retrieve the calendar. */
    retrieve: client.retrieveSingleton<Calendar, CalendarExpand>(requests, path),

    /** Update the calendar. */
    update: client.update<Calendar, CalendarUpdate>(requests, path),
  };
};
