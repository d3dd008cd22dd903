// Generated from spec/shop/price-expand.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** A price-expand. */
export const PriceExpandRecord = z.strictObject({
  id: field.id(),
  name: optional(field.text()),
  price_id: optional(field.reference('price_list')),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type PriceExpandRecord = z.infer<typeof PriceExpandRecord>;

export const PriceExpandCreate = creatable(PriceExpandRecord);
export const PriceExpandUpdate = updatable(PriceExpandRecord);
export const PriceExpandQuery = query(PriceExpandRecord);
export const priceExpandTable = record('price_expand', PriceExpandRecord, {
  path: 'shop/price-expand',
  list: PriceExpandQuery,
});
