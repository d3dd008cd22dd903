// Generated from spec/shop/price-sort.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, optional, query, record, refers, updatable } from '../../runtime/index.ts';

/** A price-sort. */
export const PriceSortRecord = z.strictObject({
  id: field.id(),
  name: optional(field.text()),
  price_id: optional(refers('price_list', { onDelete: 'restrict' })),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type PriceSortRecord = z.infer<typeof PriceSortRecord>;

export const PriceSortCreate = creatable(PriceSortRecord);
export const PriceSortUpdate = updatable(PriceSortRecord);
export const PriceSortQuery = query(PriceSortRecord);
export const priceSortTable = record('price_sort', PriceSortRecord, { path: 'shop/price-sort' }, [
  listed(PriceSortQuery),
]);
