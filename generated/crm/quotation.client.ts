// Generated from spec/crm/quotation.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** An offer of goods or services at stated prices and on stated terms. */
export interface Quotation {
  readonly id: string;
  status: string | null;
  /** Type of the party that the quotation is addressed to. */
  quotation_to: string | null;
  party_name: string | null;
  customer_name: string | null;
  company: string | null;
  transaction_date: string | null;
  /** Until when the offer holds. */
  valid_till: string | null;
  order_type: string | null;
  customer_address: string | null;
  address_display: string | null;
  contact_person: string | null;
  contact_display: string | null;
  contact_mobile: string | null;
  contact_email: string | null;
  shipping_address_name: string | null;
  shipping_address: string | null;
  customer_group: string | null;
  territory: string | null;
  currency: string | null;
  selling_price_list: string | null;
  price_list_currency: string | null;
  tax_category: string | null;
  shipping_rule: string | null;
  taxes_and_charges: string | null;
  other_charges_calculation: string | null;
  coupon_code: string | null;
  referral_sales_partner: string | null;
  apply_discount_on: string | null;
  base_in_words: string | null;
  in_words: string | null;
  payment_terms_template: string | null;
  /** Name of the terms and conditions. */
  tc_name: string | null;
  terms: string | null;
  letter_head: string | null;
  select_print_heading: string | null;
  language: string | null;
  auto_repeat: string | null;
  order_lost_reason: string | null;
  /** Details of the enquiry. */
  enq_det: string | null;
  supplier_quotation: string | null;
  opportunity: string | null;
  company_address: string | null;
  company_address_display: string | null;
  scan_barcode: string | null;
  incoterm: string | null;
  /** Place that goes with the Incoterm. */
  named_place: string | null;
  utm_campaign: string | null;
  utm_source: string | null;
  utm_medium: string | null;
  utm_content: string | null;
  company_contact_person: string | null;
  title: string | null;
  /** Exchange rate for the currency of the quotation. */
  conversion_rate: number | null;
  /** Exchange rate for the currency of the price list. */
  plc_conversion_rate: number | null;
  total_qty: number | null;
  base_total: number | null;
  base_net_total: number | null;
  total: number | null;
  net_total: number | null;
  total_net_weight: number | null;
  base_total_taxes_and_charges: number | null;
  total_taxes_and_charges: number | null;
  base_discount_amount: number | null;
  additional_discount_percentage: number | null;
  discount_amount: number | null;
  base_grand_total: number | null;
  base_rounding_adjustment: number | null;
  base_rounded_total: number | null;
  grand_total: number | null;
  rounding_adjustment: number | null;
  rounded_total: number | null;
  ignore_pricing_rule: boolean | null;
  group_same_items: boolean | null;
  disable_rounded_total: boolean | null;
  has_unit_price_items: boolean | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type QuotationCreate = client.Creatable<Quotation>;
export type QuotationUpdate = client.Updatable<Quotation>;

/** The filters of lists of quotations. */
export interface QuotationFilter extends client.RecordFilter {
  status?: client.TextFilter;
  party_name?: client.TextFilter;
  transaction_date?: client.DateFilter;
  valid_till?: client.DateFilter;
}

export type QuotationSort = 'transaction_date' | 'valid_till';

/** The operations of `/api/crm/quotation`. */
export const quotationOperations = (requests: client.Requests) => {
  const path = '/api/crm/quotation';
  return {
    /** List quotations, newest first. */
    ...client.searchedLists<Quotation, QuotationFilter, QuotationSort>(requests, path),

    /** Create a quotation. */
    create: client.create<Quotation, QuotationCreate>(requests, path),

    /** Retrieve a quotation. */
    retrieve: client.retrieve<Quotation>(requests, path),

    /** Update a quotation. */
    update: client.update<Quotation, QuotationUpdate>(requests, path),

    /** Count quotations. */
    count: client.counts<Quotation, QuotationFilter, 'status' | 'currency', 'grand_total', string>(requests, path),
  };
};
