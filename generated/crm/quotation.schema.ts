// Generated from spec/crm/quotation.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { counted, creatable, field, listed, optional, query, record, updatable } from '../../runtime/index.ts';

/** An offer of goods or services at stated prices and on stated terms. */
export const Quotation = z.strictObject({
  id: field.id(),
  status: optional(field.text(), 'draft'),
  /** Type of the party that the quotation is addressed to. */
  quotation_to: optional(field.text(), 'Customer'),
  party_name: optional(field.text()),
  customer_name: optional(field.text()),
  company: optional(field.text()),
  transaction_date: optional(field.date()),
  /** Until when the offer holds. */
  valid_till: optional(field.date()),
  order_type: optional(field.text(), 'Sales'),
  customer_address: optional(field.text()),
  address_display: optional(field.text()),
  contact_person: optional(field.text()),
  contact_display: optional(field.text()),
  contact_mobile: optional(field.text()),
  contact_email: optional(field.text()),
  shipping_address_name: optional(field.text()),
  shipping_address: optional(field.text()),
  customer_group: optional(field.text()),
  territory: optional(field.text()),
  currency: optional(field.text()),
  selling_price_list: optional(field.text()),
  price_list_currency: optional(field.text()),
  tax_category: optional(field.text()),
  shipping_rule: optional(field.text()),
  taxes_and_charges: optional(field.text()),
  other_charges_calculation: optional(field.text()),
  coupon_code: optional(field.text()),
  referral_sales_partner: optional(field.text()),
  apply_discount_on: optional(field.text(), 'Grand Total'),
  base_in_words: optional(field.text()),
  in_words: optional(field.text()),
  payment_terms_template: optional(field.text()),
  /** Name of the terms and conditions. */
  tc_name: optional(field.text()),
  terms: optional(field.text()),
  letter_head: optional(field.text()),
  select_print_heading: optional(field.text()),
  language: optional(field.text()),
  auto_repeat: optional(field.text()),
  order_lost_reason: optional(field.text()),
  /** Details of the enquiry. */
  enq_det: optional(field.text()),
  supplier_quotation: optional(field.text()),
  opportunity: optional(field.text()),
  company_address: optional(field.text()),
  company_address_display: optional(field.text()),
  scan_barcode: optional(field.text()),
  incoterm: optional(field.text()),
  /** Place that goes with the Incoterm. */
  named_place: optional(field.text()),
  utm_campaign: optional(field.text()),
  utm_source: optional(field.text()),
  utm_medium: optional(field.text()),
  utm_content: optional(field.text()),
  company_contact_person: optional(field.text()),
  title: optional(field.text()),
  /** Exchange rate for the currency of the quotation. */
  conversion_rate: optional(field.number()),
  /** Exchange rate for the currency of the price list. */
  plc_conversion_rate: optional(field.number()),
  total_qty: optional(field.number()),
  base_total: optional(field.number()),
  base_net_total: optional(field.number()),
  total: optional(field.number()),
  net_total: optional(field.number()),
  total_net_weight: optional(field.number()),
  base_total_taxes_and_charges: optional(field.number()),
  total_taxes_and_charges: optional(field.number()),
  base_discount_amount: optional(field.number()),
  additional_discount_percentage: optional(field.number()),
  discount_amount: optional(field.number()),
  base_grand_total: optional(field.number()),
  base_rounding_adjustment: optional(field.number()),
  base_rounded_total: optional(field.number()),
  grand_total: optional(field.number()),
  rounding_adjustment: optional(field.number()),
  rounded_total: optional(field.number()),
  ignore_pricing_rule: optional(field.boolean(), false),
  group_same_items: optional(field.boolean(), false),
  disable_rounded_total: optional(field.boolean(), false),
  has_unit_price_items: optional(field.boolean(), false),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Quotation = z.infer<typeof Quotation>;

export const QuotationCreate = creatable(Quotation);
export const QuotationUpdate = updatable(Quotation);
export const QuotationQuery = query(Quotation, {
  filter: ['status', 'party_name', 'transaction_date', 'valid_till'],
  sort: ['transaction_date', 'valid_till'],
  search: ['title', 'party_name', 'customer_name', 'contact_display', 'contact_email'],
});
export const quotationTable = record(
  'quotation',
  Quotation,
  { path: 'crm/quotation', operations: ['list', 'create', 'retrieve', 'update'] },
  [listed(QuotationQuery), counted({ by: ['status', 'currency'], sum: ['grand_total'] })],
);
