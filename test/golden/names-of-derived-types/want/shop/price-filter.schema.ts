// Generated from spec/shop/price-filter.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, optional, query, record, refers, updatable } from '../../runtime/index.ts';

/** A price-filter. */
export const PriceFilterRecord = z.strictObject({
  id: field.id(),
  name: optional(field.text()),
  price_id: optional(refers('price_list', { onDelete: 'restrict' })),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type PriceFilterRecord = z.infer<typeof PriceFilterRecord>;

export const PriceFilterCreate = creatable(PriceFilterRecord);
export const PriceFilterUpdate = updatable(PriceFilterRecord);
export const PriceFilterQuery = query(PriceFilterRecord);
export const priceFilterTable = record('price_filter', PriceFilterRecord, { path: 'shop/price-filter' }, [
  listed(PriceFilterQuery),
]);
