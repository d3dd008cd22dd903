import { dayIn } from '../values/time.ts';

/** A value that a write gives a field: its time, the day that it is in a time zone (IANA), or its actor. */
export type Moment =
  { readonly at: 'now' } | { readonly at: 'today'; readonly timeZone: string } | { readonly by: 'actor' };

/** The circumstances of a write. */
export interface Circumstances {
  /** As timestamps are written. */
  readonly time: string;
  /** As events name it; null if no request makes the write. */
  readonly actor: string | null;
}

export function valueOfMoment(moment: Moment, { time, actor }: Circumstances): string | null {
  if ('by' in moment) return actor;
  return moment.at === 'now' ? time : dayIn(moment.timeZone, time);
}
