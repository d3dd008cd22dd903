import { finite } from './numbers.ts';

/** Durations in milliseconds. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The day of a time in a time zone (IANA). @param time in UTC, as timestamps are written */
export const dayIn = (timeZone: string, time: string): string =>
  timeZone === 'UTC'
    ? time.slice(0, 'YYYY-MM-DD'.length)
    : Temporal.Instant.from(time).toZonedDateTimeISO(timeZone).toPlainDate().toString();

/** The milliseconds from one time or day to another. @throws RangeError if one of them is none */
export const between = (from: string, to: string): number => finite(Date.parse(to) - Date.parse(from));

/** A time or a day, moved by milliseconds: by whole days for a day. @throws RangeError behind the year 9999 and before 0 */
export function moved(time: string, milliseconds: number): string {
  const result = new Date(Date.parse(time) + milliseconds).toISOString();
  // Other years have a sign and six digits.
  if (!/^\d/.test(result)) throw new RangeError(`${result} has no year of four digits.`);
  return result.slice(0, time.length);
}
