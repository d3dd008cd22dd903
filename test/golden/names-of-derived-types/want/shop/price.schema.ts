// Generated from spec/shop/price.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** A price. */
export const Price = z.strictObject({
  id: field.id(),
  status: optional(field.oneOf(['open', 'paid']), 'open'),
  note: optional(field.text()),
  customer_id: optional(field.reference('price_list')),
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
export const priceTable = record('price', Price, {
  path: 'shop/price',
  transitions: {
    pay: { field: 'status', from: ['open'], to: 'paid', set: { note: { input: 'note' } }, input: PricePayInput },
  },
  list: PriceQuery,
});
