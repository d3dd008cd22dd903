// Generated from spec/shop/price.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  creatable,
  field,
  listed,
  optional,
  query,
  record,
  refers,
  transition,
  updatable,
} from '../../runtime/index.ts';

/** A price. */
export const Price = z.strictObject({
  id: field.id(),
  status: optional(field.oneOf(['open', 'paid']), 'open'),
  note: optional(field.text()),
  customer_id: optional(refers('price_list', { onDelete: 'restrict' })),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Price = z.infer<typeof Price>;

/** The input of pay. */
export const PricePayInput = z.strictObject({
  note: optional(field.text()),
});

export const PriceCreate = creatable(Price);
export const PriceUpdate = updatable(Price);
export const PriceQuery = query(Price, {
  filter: ['status'],
  sort: ['status'],
});
export const priceTable = record('price', Price, { path: 'shop/price' }, [
  listed(PriceQuery),
  transition('pay', {
    field: 'status',
    from: ['open'],
    to: 'paid',
    set: { note: { input: 'note' } },
    input: PricePayInput,
  }),
]);
