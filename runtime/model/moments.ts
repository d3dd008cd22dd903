import { dayIn } from '../rules/time.ts';

/** A time that a create gives a field by default: its own, or the day that it is in a time zone (IANA). */
export type Moment = { readonly at: 'now' } | { readonly at: 'today'; readonly timeZone: string };

/** @param time that of the create, as timestamps are written */
export const valueOfMoment = (moment: Moment, time: string): string =>
  moment.at === 'now' ? time : dayIn(moment.timeZone, time);
