/** Durations in milliseconds. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** A time as timestamps are written. @throws RangeError before the year 0000 and after 9999 */
export function written(milliseconds: number): string {
  const time = new Date(milliseconds).toISOString();
  // Other years have a sign and six digits.
  if (!/^\d/.test(time)) throw new RangeError(`${time} has no year of four digits.`);
  return time;
}

/** The day of a time in a time zone (IANA). @param time in UTC, as timestamps are written. @throws RangeError as `written` */
export function dayIn(timeZone: string, time: string): string {
  if (timeZone === 'UTC') return time.slice(0, 'YYYY-MM-DD'.length);
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  clocks.set(timeZone, clock);
  // Like GMT-05:00, before standard time GMT-04:56:02, or GMT.
  const name = clock.formatToParts(Date.parse(time)).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [hours = 0, minutes = 0, seconds = 0] = name.slice('GMT+'.length).split(':').map(Number);
  const offset = hours * hour + minutes * minute + seconds * second;
  return written(Date.parse(time) + (name.includes('-') ? -offset : offset)).slice(0, 'YYYY-MM-DD'.length);
}
