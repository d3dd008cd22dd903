// Generated from spec/shop/price-pay-input.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** A price-pay-input. */
export const PricePayInputRecord = z.strictObject({
  id: field.id(),
  name: optional(field.text()),
  price_id: optional(field.reference('price_list')),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type PricePayInputRecord = z.infer<typeof PricePayInputRecord>;

export const PricePayInputCreate = creatable(PricePayInputRecord);
export const PricePayInputUpdate = updatable(PricePayInputRecord);
export const PricePayInputQuery = query(PricePayInputRecord);
export const pricePayInputTable = record('price_pay_input', PricePayInputRecord, {
  path: 'shop/price-pay-input',
  list: PricePayInputQuery,
});
