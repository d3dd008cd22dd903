// Generated from spec/shop/price-create.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, optional, query, record, refers, updatable } from '../../runtime/index.ts';

/** A price-create. */
export const PriceCreateRecord = z.strictObject({
  id: field.id(),
  name: optional(field.text()),
  price_id: optional(refers('price_list', { onDelete: 'restrict' })),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type PriceCreateRecord = z.infer<typeof PriceCreateRecord>;

export const PriceCreateCreate = creatable(PriceCreateRecord);
export const PriceCreateUpdate = updatable(PriceCreateRecord);
export const PriceCreateQuery = query(PriceCreateRecord);
export const priceCreateTable = record('price_create', PriceCreateRecord, { path: 'shop/price-create' }, [
  listed(PriceCreateQuery),
]);
