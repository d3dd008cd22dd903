// Generated from spec/shop/price-create.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** A price-create. */
export const PriceCreateRecord = z.strictObject({
  id: field.id(),
  name: optional(field.text()),
  price_id: optional(field.reference('price_list')),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type PriceCreateRecord = z.infer<typeof PriceCreateRecord>;

export const PriceCreateCreate = creatable(PriceCreateRecord);
export const PriceCreateUpdate = updatable(PriceCreateRecord);
export const PriceCreateQuery = query(PriceCreateRecord);
export const priceCreateTable = record('price_create', PriceCreateRecord, {
  path: 'shop/price-create',
  list: PriceCreateQuery,
});
