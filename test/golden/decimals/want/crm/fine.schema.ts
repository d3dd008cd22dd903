// Generated from spec/crm/fine.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, defaulted, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** An amount that somebody owes. */
export const Fine = z.strictObject({
  id: field.id(),
  /** What is owed. */
  amount: field.decimal({ digits: 8, scale: 2, min: '0.00', max: '999.50' }),
  share: optional(field.decimal({ digits: 4, scale: 4 }), '0.2500'),
  points: defaulted(field.decimal({ digits: 18, scale: 0 }), '-3'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Fine = z.infer<typeof Fine>;

export const FineCreate = creatable(Fine);
export const FineUpdate = updatable(Fine);
export const FineQuery = query(Fine, {
  filter: ['amount'],
  sort: ['amount'],
});
export const fineTable = record('fine', Fine, { path: 'crm/fine', list: FineQuery });
