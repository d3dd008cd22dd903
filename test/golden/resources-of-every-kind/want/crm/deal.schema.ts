// Generated from spec/crm/deal.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, expands, field, listed, optional, query, record, renamed, updatable } from '../../runtime/index.ts';

/** A sale that may come about. */
export const Deal = z.strictObject({
  id: field.id(),
  title: field.text({ max: 140 }),
  stage: optional(field.oneOf(['open', 'won', 'lost']), 'open'),
  company: renamed(optional(field.text(), 'Smith, Wesson \\ Sons'), 'customer'),
  email: optional(field.email()),
  closes_on: optional(field.date()),
  called_at: optional(field.dateTime()),
  amount: optional(field.number()),
  seats: optional(field.integer({ min: 1 })),
  is_open: field.boolean(),
  sort: optional(field.text()),
  limit: optional(field.integer()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Deal = z.infer<typeof Deal>;

export const DealCreate = creatable(Deal);
export const DealUpdate = updatable(Deal);
export const DealQuery = query(Deal, {
  filter: ['stage', 'company', 'closes_on', 'called_at', 'amount', 'seats', 'is_open', 'updated_at'],
  sort: ['closes_on', 'amount', 'is_open'],
  search: ['title', 'stage', 'email'],
});
export const dealTable = record('deal', Deal, { path: 'crm/deal' }, [
  listed(DealQuery),
  expands('deal-part', 'deal_part'),
]);
