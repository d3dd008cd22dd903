// Generated from spec/accounts/bank-guarantee.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  counted,
  creatable,
  field,
  listed,
  optional,
  query,
  record,
  transition,
  updatable,
} from '../../runtime/index.ts';

/** A bank's promise to pay a beneficiary if the party that it vouches for fails to deliver or to pay. */
export const BankGuarantee = z.strictObject({
  id: field.id(),
  /** Moved by submit and cancel; can also be set directly. */
  status: optional(field.text(), 'draft'),
  /** Type of the bank guarantee. */
  bg_type: field.text(),
  /** Type of the record that the guarantee refers to. */
  reference_doctype: optional(field.text()),
  /** Name of the record that the guarantee refers to. */
  reference_docname: optional(field.text()),
  customer: optional(field.text()),
  supplier: optional(field.text()),
  project: optional(field.text()),
  amount: field.number(),
  start_date: field.date(),
  validity: optional(field.integer()),
  end_date: optional(field.date()),
  bank: optional(field.text()),
  bank_account: optional(field.text()),
  account: optional(field.text()),
  bank_account_no: optional(field.text()),
  iban: optional(field.text()),
  branch_code: optional(field.text()),
  swift_number: optional(field.text()),
  more_information: optional(field.text()),
  bank_guarantee_number: optional(field.text()),
  name_of_beneficiary: optional(field.text()),
  /** Amount deposited with the bank as security for the guarantee. */
  margin_money: optional(field.number()),
  charges: optional(field.number()),
  fixed_deposit_number: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type BankGuarantee = z.infer<typeof BankGuarantee>;

export const BankGuaranteeCreate = creatable(BankGuarantee);
export const BankGuaranteeUpdate = updatable(BankGuarantee);
export const BankGuaranteeQuery = query(BankGuarantee, {
  filter: ['status', 'customer', 'supplier', 'end_date'],
  sort: ['end_date', 'amount'],
  search: ['name_of_beneficiary', 'bank_guarantee_number', 'customer', 'supplier', 'project', 'bank'],
});
export const bankGuaranteeTable = record('bank_guarantee', BankGuarantee, { path: 'accounts/bank-guarantee' }, [
  listed(BankGuaranteeQuery),
  counted({ by: ['status', 'bg_type'], sum: ['amount'] }),
  transition('submit', { field: 'status', from: ['draft'], to: 'submitted' }),
  transition('cancel', { field: 'status', from: ['submitted'], to: 'cancelled' }),
]);
