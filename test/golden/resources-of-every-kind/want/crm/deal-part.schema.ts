// Generated from spec/crm/deal-part.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, lineItem, listed, optional, query, refers, updatable } from '../../runtime/index.ts';

/** A part of a sale. */
export const DealPart = z.strictObject({
  id: field.id(),
  idx: field.position(),
  deal_id: field.text(),
  article: field.text(),
  maker_id: optional(refers('contact', { onDelete: 'restrict' })),
});
export type DealPart = z.infer<typeof DealPart>;

export const DealPartCreate = creatable(DealPart);
export const DealPartUpdate = updatable(DealPart);
export const DealPartQuery = query(DealPart, {
  filter: ['article'],
});
export const dealPartTable = lineItem(
  'deal_part',
  DealPart,
  { path: 'crm/deal-part', parent: { field: 'deal_id', table: 'deal' } },
  [listed(DealPartQuery)],
);
