// Generated from spec/accounts/bank-guarantee.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  creatable,
  date,
  id,
  integer,
  number,
  optional,
  record,
  text,
  timestamp,
  updatable,
} from '../../runtime/index.ts';

/** A bank's promise to pay a beneficiary should the party it vouches for fail to deliver or to pay. */
export const BankGuarantee = z.strictObject({
  id: id(),
  /** Moved by submit and cancel; can also be set directly. */
  status: optional(text(), 'draft'),
  /** Type of the bank guarantee. */
  bg_type: text(),
  /** Type of the record that the guarantee refers to. */
  reference_doctype: optional(text()),
  /** Name of the record that the guarantee refers to. */
  reference_docname: optional(text()),
  customer: optional(text()),
  supplier: optional(text()),
  project: optional(text()),
  amount: number(),
  start_date: date(),
  validity: optional(integer()),
  end_date: optional(date()),
  bank: optional(text()),
  bank_account: optional(text()),
  account: optional(text()),
  bank_account_no: optional(text()),
  iban: optional(text()),
  branch_code: optional(text()),
  swift_number: optional(text()),
  more_information: optional(text()),
  bank_guarantee_number: optional(text()),
  name_of_beneficiary: optional(text()),
  /** Amount deposited with the bank as security for the guarantee. */
  margin_money: optional(number()),
  charges: optional(number()),
  fixed_deposit_number: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type BankGuarantee = z.infer<typeof BankGuarantee>;

export const BankGuaranteeCreate = creatable(BankGuarantee);
export const BankGuaranteeUpdate = updatable(BankGuarantee);
export const bankGuaranteeTable = record('bank_guarantee', BankGuarantee);
