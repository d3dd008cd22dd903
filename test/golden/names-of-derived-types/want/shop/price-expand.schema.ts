// Generated from spec/shop/price-expand.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, optional, query, record, refers, updatable } from '../../runtime/index.ts';

/** A price-expand. */
export const PriceExpandRecord = z.strictObject({
  id: field.id(),
  name: optional(field.text()),
  price_id: optional(refers('price_list', { onDelete: 'restrict' })),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type PriceExpandRecord = z.infer<typeof PriceExpandRecord>;

export const PriceExpandCreate = creatable(PriceExpandRecord);
export const PriceExpandUpdate = updatable(PriceExpandRecord);
export const PriceExpandQuery = query(PriceExpandRecord);
export const priceExpandTable = record('price_expand', PriceExpandRecord, { path: 'shop/price-expand' }, [
  listed(PriceExpandQuery),
]);
