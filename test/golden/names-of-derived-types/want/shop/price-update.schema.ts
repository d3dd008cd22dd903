// Generated from spec/shop/price-update.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, optional, query, record, refers, updatable } from '../../runtime/index.ts';

/** A price-update. */
export const PriceUpdateRecord = z.strictObject({
  id: field.id(),
  name: optional(field.text()),
  price_id: optional(refers('price_list', { onDelete: 'restrict' })),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type PriceUpdateRecord = z.infer<typeof PriceUpdateRecord>;

export const PriceUpdateCreate = creatable(PriceUpdateRecord);
export const PriceUpdateUpdate = updatable(PriceUpdateRecord);
export const PriceUpdateQuery = query(PriceUpdateRecord);
export const priceUpdateTable = record('price_update', PriceUpdateRecord, { path: 'shop/price-update' }, [
  listed(PriceUpdateQuery),
]);
