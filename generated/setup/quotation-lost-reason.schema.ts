// Generated from spec/setup/quotation-lost-reason.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, query, record, updatable } from '../../runtime/index.ts';

/** A reason why a quotation did not lead to an order. */
export const QuotationLostReason = z.strictObject({
  id: field.id(),
  order_lost_reason: field.text(),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type QuotationLostReason = z.infer<typeof QuotationLostReason>;

export const QuotationLostReasonCreate = creatable(QuotationLostReason);
export const QuotationLostReasonUpdate = updatable(QuotationLostReason);
export const QuotationLostReasonQuery = query(QuotationLostReason, {
  sort: ['order_lost_reason'],
  search: ['order_lost_reason'],
});
export const quotationLostReasonTable = record(
  'quotation_lost_reason',
  QuotationLostReason,
  { path: 'setup/quotation-lost-reason' },
  [listed(QuotationLostReasonQuery)],
);
