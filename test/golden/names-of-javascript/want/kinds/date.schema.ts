// Generated from spec/kinds/date.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** A day to remember. */
export const Date = z.strictObject({
  id: field.id(),
  date: optional(field.date(), '2024-02-29'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Date = z.infer<typeof Date>;

export const DateCreate = creatable(Date);
export const DateUpdate = updatable(Date);
export const DateQuery = query(Date);
export const dateTable = record('date', Date, { path: 'kinds/date', list: DateQuery });
