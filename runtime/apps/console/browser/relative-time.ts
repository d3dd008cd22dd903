import { lazy } from './lazy.ts';

const words = lazy(() => new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' }));
const days = lazy(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }));

/** Units with the seconds that they have, and the number of them from which on the next one is better. */
const units = [
  ['second', 1, 60],
  ['minute', 60, 60],
  ['hour', 3_600, 24],
  ['day', 86_400, 7],
] as const;

/** How long ago a time is, as people say it; a date if that is over a week. */
export function relativeTime(time: string, now = Date.now()): string {
  const seconds = (Date.parse(time) - now) / 1_000;
  for (const [unit, length, end] of units) {
    const count = Math.trunc(seconds / length);
    // A clock that is ahead of this one has written "in 2 seconds".
    if (Math.abs(count) < end) return words().format(Math.min(unit === 'second' ? 0 : count, 0), unit);
  }
  return days().format(new Date(time));
}
