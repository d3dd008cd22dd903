// Generated from spec/constructor/car.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** What somebody builds. */
export const Car = z.strictObject({
  id: field.id(),
  name: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Car = z.infer<typeof Car>;

export const CarCreate = creatable(Car);
export const CarUpdate = updatable(Car);
export const CarQuery = query(Car);
export const carTable = record('car', Car, { path: 'constructor/car', list: CarQuery });
