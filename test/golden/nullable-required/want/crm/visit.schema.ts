// Generated from spec/crm/visit.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  boolean,
  creatable,
  date,
  id,
  integer,
  nullable,
  oneOf,
  record,
  text,
  timestamp,
  updatable,
} from '../../runtime/index.ts';

/** A visit to a customer. */
export const Visit = z.strictObject({
  id: id(),
  guest: nullable(text()),
  day: nullable(date()),
  /** How it went. */
  mood: nullable(oneOf(['good', 'bad'])),
  length: nullable(integer({ min: 0 })),
  is_paid: nullable(boolean()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Visit = z.infer<typeof Visit>;

export const VisitCreate = creatable(Visit);
export const VisitUpdate = updatable(Visit);
export const visitTable = record('visit', Visit);
