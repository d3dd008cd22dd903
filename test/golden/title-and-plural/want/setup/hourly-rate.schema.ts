// Generated from spec/setup/hourly-rate.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** What an hour costs. */
export const HourlyRate = z.strictObject({
  id: field.id(),
  name: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type HourlyRate = z.infer<typeof HourlyRate>;

export const HourlyRateCreate = creatable(HourlyRate);
export const HourlyRateUpdate = updatable(HourlyRate);
export const HourlyRateQuery = query(HourlyRate);
export const hourlyRateTable = record('hourly_rate', HourlyRate, {
  path: 'setup/hourly-rate',
  title: 'rate of an hour\'s "work"',
  list: HourlyRateQuery,
});
