// Generated from spec/accounts/bank-guarantee.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A bank's promise to pay a beneficiary if the party that it vouches for fails to deliver or to pay. */
export interface BankGuarantee {
  readonly id: string;
  /** Moved by submit and cancel; can also be set directly. */
  status: string | null;
  /** Type of the bank guarantee. */
  bg_type: string;
  /** Type of the record that the guarantee refers to. */
  reference_doctype: string | null;
  /** Name of the record that the guarantee refers to. */
  reference_docname: string | null;
  customer: string | null;
  supplier: string | null;
  project: string | null;
  amount: number;
  start_date: string;
  validity: number | null;
  end_date: string | null;
  bank: string | null;
  bank_account: string | null;
  account: string | null;
  bank_account_no: string | null;
  iban: string | null;
  branch_code: string | null;
  swift_number: string | null;
  more_information: string | null;
  bank_guarantee_number: string | null;
  name_of_beneficiary: string | null;
  /** Amount deposited with the bank as security for the guarantee. */
  margin_money: number | null;
  charges: number | null;
  fixed_deposit_number: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type BankGuaranteeCreate = client.Creatable<BankGuarantee, 'amount' | 'bg_type' | 'start_date'>;
export type BankGuaranteeUpdate = client.Updatable<BankGuarantee>;

/** The filters of lists of bank guarantees. */
export interface BankGuaranteeFilter extends client.RecordFilter {
  status?: client.TextFilter;
  customer?: client.TextFilter;
  supplier?: client.TextFilter;
  end_date?: client.DateFilter;
}

export type BankGuaranteeSort = 'end_date' | 'amount';

/** The operations of `/api/accounts/bank-guarantee`. */
export const bankGuaranteeOperations = (requests: client.Requests) => {
  const path = '/api/accounts/bank-guarantee';
  return {
    /** List bank guarantees, newest first. */
    ...client.searchedLists<BankGuarantee, BankGuaranteeFilter, BankGuaranteeSort>(requests, path),

    /** Create a bank guarantee. */
    create: client.create<BankGuarantee, BankGuaranteeCreate>(requests, path),

    /** Retrieve a bank guarantee. */
    retrieve: client.retrieve<BankGuarantee>(requests, path),

    /** Update a bank guarantee. */
    update: client.update<BankGuarantee, BankGuaranteeUpdate>(requests, path),

    /** Delete a bank guarantee. */
    delete: client.remove(requests, path),

    /** Submit a bank guarantee: status from draft to submitted. */
    submit: client.change<BankGuarantee>(requests, path, 'submit'),

    /** Cancel a bank guarantee: status from submitted to cancelled. */
    cancel: client.change<BankGuarantee>(requests, path, 'cancel'),

    /** Count bank guarantees. */
    count: client.counts<BankGuarantee, BankGuaranteeFilter, 'status' | 'bg_type', 'amount', string>(requests, path),
  };
};
