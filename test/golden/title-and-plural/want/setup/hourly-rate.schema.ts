// Generated from spec/setup/hourly-rate.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** What an hour costs. */
export const HourlyRate = z.strictObject({
  id: id(),
  name: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type HourlyRate = z.infer<typeof HourlyRate>;

export const HourlyRateCreate = creatable(HourlyRate);
export const HourlyRateUpdate = updatable(HourlyRate);
export const hourlyRateTable = record('hourly_rate', HourlyRate, {
  title: 'rate of an hour\'s "work"',
});
