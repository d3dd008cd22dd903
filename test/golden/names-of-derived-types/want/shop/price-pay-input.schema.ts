// Generated from spec/shop/price-pay-input.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, optional, query, record, refers, updatable } from '../../runtime/index.ts';

/** A price-pay-input. */
export const PricePayInputRecord = z.strictObject({
  id: field.id(),
  name: optional(field.text()),
  price_id: optional(refers('price_list', { onDelete: 'restrict' })),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type PricePayInputRecord = z.infer<typeof PricePayInputRecord>;

export const PricePayInputCreate = creatable(PricePayInputRecord);
export const PricePayInputUpdate = updatable(PricePayInputRecord);
export const PricePayInputQuery = query(PricePayInputRecord);
export const pricePayInputTable = record('price_pay_input', PricePayInputRecord, { path: 'shop/price-pay-input' }, [
  listed(PricePayInputQuery),
]);
