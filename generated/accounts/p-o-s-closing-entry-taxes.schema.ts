// Generated from spec/accounts/p-o-s-closing-entry-taxes.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { counted, creatable, field, lineItem, listed, optional, query, updatable } from '../../runtime/index.ts';

/** The taxes of one account in the closing entry of a point of sale. */
export const PosClosingEntryTaxes = z.strictObject({
  id: field.id(),
  idx: field.position(),
  /** Closing entry of the point of sale. It is kept outside this service. */
  pos_closing_entry_id: field.text(),
  amount: optional(field.number()),
  /** Account that the taxes are booked to. */
  account_head: optional(field.text()),
});
export type PosClosingEntryTaxes = z.infer<typeof PosClosingEntryTaxes>;

export const PosClosingEntryTaxesCreate = creatable(PosClosingEntryTaxes);
export const PosClosingEntryTaxesUpdate = updatable(PosClosingEntryTaxes);
export const PosClosingEntryTaxesQuery = query(PosClosingEntryTaxes, {
  filter: ['account_head'],
});
export const posClosingEntryTaxesTable = lineItem(
  'pos_closing_entry_taxes',
  PosClosingEntryTaxes,
  {
    path: 'accounts/p-o-s-closing-entry-taxes',
    title: 'POS closing entry taxes',
    parent: { field: 'pos_closing_entry_id' },
  },
  [listed(PosClosingEntryTaxesQuery), counted({ by: ['pos_closing_entry_id'], sum: ['amount'] })],
);
