/**
 * The interface as read anew: every resource, field and default below was written by hand from the interface document and
 * nothing of it comes from spec/ or generated/. A slip made there while copying a field therefore shows as a failing test.
 */

import {
  type Field,
  type FieldType,
  type LineItem,
  named,
  type Operation,
  type RecordType,
  type Resource,
  type Singleton,
} from '../support/resources.ts';

/**
 * Fields as text: `name!?: type = default`. `!` is required, `?` may be null although it is required; a type is also a format
 * of strings, and none is any string.
 */
const fieldsOf = (text: string): Field[] =>
  text.split(/,\s+/).map((field) => {
    const [, name = '', required, nullable, type = 'string', value] =
      /^(\w+)(!)?(\?)?(?:: ([\w-]+))?(?: = (.*))?$/.exec(field.trim()) ?? [];
    const isFormat = !['string', 'integer', 'number', 'boolean'].includes(type);
    return [
      name,
      isFormat ? 'string' : (type as FieldType),
      {
        ...(required && { required: true }),
        ...(nullable && { nullable: true }),
        ...(isFormat && { format: type }),
        ...(value !== undefined && { default: type === 'string' || isFormat ? value : JSON.parse(value) }),
      },
    ];
  });

export const records: readonly RecordType[] = [
  {
    kind: 'record',
    name: 'signing_document',
    path: '/api/signing/signing-document',
    operations: ['retrieve', 'list', 'create', 'update', 'delete', 'submit', 'cancel'],
    fields: fieldsOf(`
      status = draft, document_type = document, template_type, template_id, source = document, title!, company,
      external_id, signing_status = pending, completed_at, signing_order = parallel,
      allow_dictate_next_signer: boolean = false, typed_signature_enabled: boolean = true,
      draw_signature_enabled: boolean = true, upload_signature_enabled: boolean = true, distribution_method = email,
      email_subject, email_message, redirect_url, timezone = Etc/UTC, date_format = yyyy-MM-dd hh:mm a, language = en,
      expires_at, reminder_settings, auth_options, form_values, visibility = everyone, public_title,
      public_description, reference_doctype, reference_name, party_type, party_name
    `),
  },
  {
    kind: 'record',
    name: 'signing_document_data',
    path: '/api/signing/signing-document-data',
    operations: ['retrieve', 'list', 'create', 'update', 'delete'],
    fields: fieldsOf(`
      signing_document_id!, title, display_order: integer = 1, storage_type = s3, data!, initial_data,
      page_count: integer, content_type = application/pdf, file_size: integer
    `),
  },
  {
    kind: 'record',
    name: 'invoice_discounting',
    path: '/api/accounts/invoice-discounting',
    operations: ['retrieve', 'list', 'create', 'update', 'delete', 'submit', 'cancel'],
    fields: fieldsOf(`
      status = draft, posting_date!: date, loan_start_date: date, loan_period: integer, loan_end_date: date, company!,
      total_amount: number, bank_charges: number, short_term_loan!, bank_account!, bank_charges_account!,
      accounts_receivable_credit!, accounts_receivable_discounted!, accounts_receivable_unpaid!
    `),
  },
  {
    kind: 'record',
    name: 'repost_payment_ledger',
    path: '/api/accounts/repost-payment-ledger',
    operations: ['retrieve', 'list', 'create', 'update', 'delete', 'submit', 'cancel'],
    fields: fieldsOf(`
      status = draft, posting_date!: date, voucher_type, company!, repost_status, add_manually: boolean = false,
      repost_error_log
    `),
  },
  {
    kind: 'record',
    name: 'bank_guarantee',
    path: '/api/accounts/bank-guarantee',
    operations: ['retrieve', 'list', 'create', 'update', 'delete', 'submit', 'cancel'],
    fields: fieldsOf(`
      status = draft, bg_type!, reference_doctype, reference_docname, customer, supplier, project, amount!: number,
      start_date!: date, validity: integer, end_date: date, bank, bank_account, account, bank_account_no, iban,
      branch_code, swift_number, more_information, bank_guarantee_number, name_of_beneficiary, margin_money: number,
      charges: number, fixed_deposit_number
    `),
  },
  {
    kind: 'record',
    name: 'address',
    path: '/api/core/address',
    operations: ['retrieve', 'list', 'create', 'update', 'delete'],
    fields: fieldsOf(`
      address_title, address_type!, address_line1!, address_line2, city!, county, state, country!, pincode, email_id,
      phone, fax, is_primary_address: boolean = false, is_shipping_address: boolean = false, disabled: boolean = false
    `),
  },
  {
    kind: 'record',
    name: 'subcontracting_bom',
    path: '/api/subcontracting/subcontracting-b-o-m',
    operations: ['retrieve', 'list', 'create', 'update', 'delete'],
    fields: fieldsOf(`
      is_active: boolean = true, finished_good!, finished_good_qty: number = 1, finished_good_bom!, service_item!,
      service_item_qty: number = 1, service_item_uom!, conversion_factor: number, finished_good_uom
    `),
  },
  {
    kind: 'record',
    name: 'asset_shift_factor',
    path: '/api/assets/asset-shift-factor',
    operations: ['retrieve', 'list', 'create', 'update', 'delete'],
    fields: fieldsOf(`
      shift_name!, shift_factor!: number, default: boolean = false
    `),
  },
  {
    kind: 'record',
    name: 'issue',
    path: '/api/support/issue',
    operations: ['retrieve', 'list', 'create', 'update', 'delete'],
    fields: fieldsOf(`
      subject!, customer, raised_by, status = Open, priority, issue_type, description, service_level_agreement,
      response_by, first_responded_on, lead, contact, email_account, customer_name, project, company,
      resolution_details, opening_date: date, opening_time, content_type, attachment,
      via_customer_portal: boolean = false, service_level_agreement_creation, issue_split_from,
      avg_response_time: integer, resolution_time: integer, user_resolution_time: integer, on_hold_since,
      total_hold_time: integer, agreement_status = First Response Due, first_response_time: integer, sla_resolution_by,
      sla_resolution_date
    `),
  },
  {
    kind: 'record',
    name: 'quality_inspection_parameter_group',
    path: '/api/stock/quality-inspection-parameter-group',
    operations: ['retrieve', 'list', 'create', 'update', 'delete'],
    fields: [['group_name', 'string', { required: true }]],
  },
  {
    kind: 'record',
    name: 'competitor',
    path: '/api/crm/competitor',
    operations: ['retrieve', 'list', 'create', 'update', 'delete'],
    fields: fieldsOf(`
      competitor_name!, website
    `),
  },
  {
    kind: 'record',
    name: 'lead',
    path: '/api/crm/lead',
    operations: ['retrieve', 'list', 'create', 'update', 'delete'],
    fields: fieldsOf(`
      lead_name, company_name, email_id, lead_owner = __user, status = Lead, salutation, gender, customer, image,
      phone, mobile_no, fax, type, market_segment, industry, request_type, company, website, territory,
      unsubscribed: boolean = false, blog_subscriber: boolean = false, title, language, first_name, middle_name,
      last_name, no_of_employees, whatsapp_no, phone_ext, qualified_by, qualified_on, qualification_status, job_title,
      annual_revenue: number, disabled: boolean = false, city, state, country, utm_content, utm_source, utm_medium,
      utm_campaign
    `),
  },
  {
    kind: 'record',
    name: 'payment_reconciliation_payment',
    path: '/api/accounts/payment-reconciliation-payment',
    operations: ['retrieve', 'list', 'create', 'update', 'delete'],
    fields: fieldsOf(`
      reference_type, reference_name, posting_date: date, is_advance, reference_row, amount: number, currency,
      difference_amount: number, exchange_rate: number, cost_center, remarks
    `),
  },
  {
    kind: 'record',
    name: 'sales_stage',
    path: '/api/crm/sales-stage',
    operations: ['retrieve', 'list', 'create', 'update', 'delete'],
    fields: [['stage_name', 'string']],
  },
  {
    kind: 'record',
    name: 'quotation_lost_reason',
    path: '/api/setup/quotation-lost-reason',
    operations: ['retrieve', 'list', 'create', 'update', 'delete'],
    fields: [['order_lost_reason', 'string', { required: true }]],
  },
  {
    kind: 'record',
    name: 'quotation',
    path: '/api/crm/quotation',
    operations: ['retrieve', 'list', 'create', 'update'],
    fields: fieldsOf(`
      status = draft, quotation_to = Customer, party_name, customer_name, company, transaction_date: date,
      valid_till: date, order_type = Sales, customer_address, address_display, contact_person, contact_display,
      contact_mobile, contact_email, shipping_address_name, shipping_address, customer_group, territory, currency,
      selling_price_list, price_list_currency, tax_category, shipping_rule, taxes_and_charges,
      other_charges_calculation, coupon_code, referral_sales_partner, apply_discount_on = Grand Total, base_in_words,
      in_words, payment_terms_template, tc_name, terms, letter_head, select_print_heading, language, auto_repeat,
      order_lost_reason, enq_det, supplier_quotation, opportunity, company_address, company_address_display,
      scan_barcode, incoterm, named_place, utm_campaign, utm_source, utm_medium, utm_content, company_contact_person,
      title, conversion_rate: number, plc_conversion_rate: number, total_qty: number, base_total: number,
      base_net_total: number, total: number, net_total: number, total_net_weight: number,
      base_total_taxes_and_charges: number, total_taxes_and_charges: number, base_discount_amount: number,
      additional_discount_percentage: number, discount_amount: number, base_grand_total: number,
      base_rounding_adjustment: number, base_rounded_total: number, grand_total: number, rounding_adjustment: number,
      rounded_total: number, ignore_pricing_rule: boolean = false, group_same_items: boolean = false,
      disable_rounded_total: boolean = false, has_unit_price_items: boolean = false
    `),
  },
];

export const lineItems: readonly LineItem[] = [
  {
    kind: 'line-item',
    name: 'discounted_invoice',
    path: '/api/accounts/discounted-invoice',
    operations: ['list', 'create', 'update', 'delete', 'reorder'],
    parentField: 'invoice_discounting_id',
    parentResource: 'invoice_discounting',
    fields: fieldsOf(`
      idx: integer, invoice_discounting_id!, sales_invoice!, customer, posting_date: date, outstanding_amount: number,
      debit_to
    `),
  },
  {
    kind: 'line-item',
    name: 'repost_payment_ledger_items',
    path: '/api/accounts/repost-payment-ledger-items',
    operations: ['list', 'create', 'update', 'delete', 'reorder'],
    parentField: 'repost_payment_ledger_id',
    parentResource: 'repost_payment_ledger',
    fields: fieldsOf(`
      idx: integer, repost_payment_ledger_id!, voucher_type, voucher_no
    `),
  },
  {
    kind: 'line-item',
    name: 'pricing_rule_item_code',
    path: '/api/accounts/pricing-rule-item-code',
    operations: ['list', 'create', 'update', 'delete', 'reorder'],
    parentField: 'parent_id',
    parentTypeField: 'parent_type',
    fields: fieldsOf(`
      idx: integer, parent_id!?, parent_type!, item_code, uom
    `),
  },
  {
    kind: 'line-item',
    name: 'pricing_rule_brand',
    path: '/api/accounts/pricing-rule-brand',
    operations: ['list', 'create', 'update', 'delete', 'reorder'],
    parentField: 'parent_id',
    parentTypeField: 'parent_type',
    fields: fieldsOf(`
      idx: integer, parent_id!?, parent_type!, brand, uom
    `),
  },
  {
    kind: 'line-item',
    name: 'pos_item_group',
    path: '/api/accounts/p-o-s-item-group',
    operations: ['list', 'create', 'update', 'delete', 'reorder'],
    parentField: 'pos_profile_id',
    fields: fieldsOf(`
      idx: integer, pos_profile_id!, item_group!
    `),
  },
  {
    kind: 'line-item',
    name: 'pos_closing_entry_taxes',
    path: '/api/accounts/p-o-s-closing-entry-taxes',
    operations: ['list', 'create', 'update', 'delete', 'reorder'],
    parentField: 'pos_closing_entry_id',
    fields: fieldsOf(`
      idx: integer, pos_closing_entry_id!, amount: number, account_head
    `),
  },
  {
    kind: 'line-item',
    name: 'bom_item',
    path: '/api/manufacturing/b-o-m-item',
    operations: ['list', 'create', 'update', 'delete', 'reorder'],
    parentField: 'bom_id',
    fields: fieldsOf(`
      idx: integer, bom_id!, item_code!, item_name, operation, bom_no, source_warehouse, description, image,
      image_view, qty!: number, uom!, stock_qty: number, stock_uom, conversion_factor: number, rate!: number,
      base_rate: number, amount: number, base_amount: number, qty_consumed_per_unit: number,
      allow_alternative_item: boolean = false, include_item_in_manufacturing: boolean = false, original_item,
      has_variants: boolean = false, sourced_by_supplier: boolean = false, do_not_explode: boolean = false,
      is_stock_item: boolean = false, operation_row_id: integer, is_sub_assembly_item: boolean = false,
      is_phantom_item: boolean = false
    `),
  },
  {
    kind: 'line-item',
    name: 'bom_explosion_item',
    path: '/api/manufacturing/b-o-m-explosion-item',
    operations: ['list', 'create', 'update', 'delete', 'reorder'],
    parentField: 'bom_id',
    fields: fieldsOf(`
      idx: integer, bom_id!, item_code, item_name, source_warehouse, operation, description, image, image_view,
      stock_qty: number, rate: number, qty_consumed_per_unit: number, stock_uom, amount: number,
      include_item_in_manufacturing: boolean = false, sourced_by_supplier: boolean = false,
      is_sub_assembly_item: boolean = false
    `),
  },
  {
    kind: 'line-item',
    name: 'appointment_booking_slots',
    path: '/api/crm/appointment-booking-slots',
    operations: ['list', 'create', 'update', 'delete', 'reorder'],
    parentField: 'appointment_booking_settings_id',
    parentResource: 'appointment_booking_settings',
    fields: fieldsOf(`
      idx: integer, appointment_booking_settings_id!, day_of_week!, from_time!, to_time!
    `),
  },
];

export const singletons: readonly Singleton[] = [
  {
    kind: 'singleton',
    name: 'appointment_booking_settings',
    path: '/api/crm/appointment-booking-settings',
    operations: ['retrieve', 'update'],
    fields: fieldsOf(`
      number_of_agents: integer = 1, holiday_list!, appointment_duration: integer = 60,
      email_reminders: boolean = false, advance_booking_days: integer = 7, enable_scheduling: boolean = false,
      success_redirect_url
    `),
  },
  {
    kind: 'singleton',
    name: 'subscription_settings',
    path: '/api/accounts/subscription-settings',
    operations: ['retrieve', 'update'],
    fields: fieldsOf(`
      grace_period: integer = 1, cancel_after_grace: boolean = false, prorate: boolean = true
    `),
  },
];

export const resources: readonly Resource[] = [...records, ...lineItems, ...singletons];

export type Endpoint = { readonly name: string; readonly method: string; readonly path: string };

const methodAndSuffix: Readonly<Record<Operation, readonly [method: string, suffix: string]>> = {
  retrieve: ['GET', '/{id}'],
  list: ['GET', ''],
  create: ['POST', ''],
  update: ['PATCH', '/{id}'],
  delete: ['DELETE', '/{id}'],
  submit: ['POST', '/{id}/submit'],
  cancel: ['POST', '/{id}/cancel'],
  reorder: ['POST', '/reorder'],
};

/** Every operation of the interface as a method and a path template. */
export const endpoints: readonly Endpoint[] = resources.flatMap(({ kind, name, path, operations }) =>
  operations.map((operation) => {
    const [method, suffix] = methodAndSuffix[operation];
    // A singleton is retrieved without an id.
    return { name, method, path: kind === 'singleton' && operation === 'retrieve' ? path : path + suffix };
  }),
);

export const recordNamed = (name: string): RecordType => named(records, name);
export const lineItemNamed = (name: string): LineItem => named(lineItems, name);
export const singletonNamed = (name: string): Singleton => named(singletons, name);
