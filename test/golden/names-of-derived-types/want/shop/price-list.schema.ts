// Generated from spec/shop/price-list.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, optional, query, record, refers, updatable } from '../../runtime/index.ts';

/** A price-list. */
export const PriceListRecord = z.strictObject({
  id: field.id(),
  name: optional(field.text()),
  price_id: optional(refers('price_list', { onDelete: 'restrict' })),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type PriceListRecord = z.infer<typeof PriceListRecord>;

export const PriceListCreate = creatable(PriceListRecord);
export const PriceListUpdate = updatable(PriceListRecord);
export const PriceListQuery = query(PriceListRecord);
export const priceListTable = record('price_list', PriceListRecord, { path: 'shop/price-list' }, [
  listed(PriceListQuery),
]);
