-- Generated from spec/. Edit the spec, then run `npm run generate`.
-- The server makes these tables by itself, and adds to older ones what is new.

create table "_organization" (
  "id" bigint not null primary key,
  "name" text unique,
  "created_at" text,
  "deleted_at" text
);

insert into "_organization" values (1, 'main', null, null);

create table "_row_counter" (
  "_organization" bigint not null,
  "table" text not null,
  "parent" text not null,
  "shard" bigint not null,
  "count" bigint not null,
  primary key ("_organization", "table", "parent", "shard")
);

create table "_required_column" (
  "name" text not null primary key
);

create table "_event" (
  "_organization" bigint not null,
  "number" bigint,
  "noted_at" bigint,
  "time" text not null,
  "actor" text,
  "request_id" text,
  "operation" text not null,
  "resource" text not null,
  "record" text not null,
  "version" bigint not null,
  "changes" text not null
);
create unique index "_event_by_number" on "_event" ("_organization", "number");
create unique index "_event_by_version" on "_event" ("_organization", "record", "version");
create index "_event_unnumbered" on "_event" ("_organization", "noted_at") where "number" is null;

create table "_answer" (
  "_organization" bigint not null,
  "owner" text not null,
  "key" text not null,
  "digest" text not null,
  "time" text not null,
  "answer" text not null,
  primary key ("_organization", "owner", "key")
);
create index "_answer_by_time" on "_answer" ("_organization", "time");

create table "_api_key" (
  "id" text not null primary key,
  "_organization" bigint not null,
  "digest" text not null,
  "name" text not null,
  "scopes" text not null,
  "rate" text,
  "created_at" text not null,
  "expires_at" text,
  "revoked_at" text,
  "last_used_at" text
);

create table "_webhook" (
  "id" text not null primary key,
  "_organization" bigint not null,
  "url" text not null,
  "secret" text not null,
  "filter" text not null,
  "state" text not null,
  "why" text,
  "position" bigint not null,
  "created_at" text not null
);

create table "_delivery" (
  "_organization" bigint not null,
  "webhook" text not null,
  "event" bigint not null,
  "type" text not null,
  "record" text not null,
  "state" text not null,
  "attempts" bigint not null,
  "queued" bigint not null,
  "at" bigint not null,
  "answer" text,
  "duration" bigint,
  primary key ("_organization", "webhook", "event")
);
create index "_delivery_by_turn"
  on "_delivery" ("_organization", "webhook", "at", "event") where "state" = 'waiting';
create index "_delivery_by_record"
  on "_delivery" ("_organization", "webhook", "record", "event") where "state" = 'waiting';
create index "_delivery_by_age"
  on "_delivery" ("_organization", "at") where "state" <> 'waiting';

create table "_lease" (
  "name" text not null primary key,
  "holder" text not null,
  "until" bigint not null
);

create table "bank_guarantee" (
  "_organization" bigint not null,
  "id" text not null,
  "status" text default 'draft',
  "bg_type" text,
  "reference_doctype" text,
  "reference_docname" text,
  "customer" text,
  "supplier" text,
  "project" text,
  "amount" double precision,
  "start_date" text,
  "validity" bigint,
  "end_date" text,
  "bank" text,
  "bank_account" text,
  "account" text,
  "bank_account_no" text,
  "iban" text,
  "branch_code" text,
  "swift_number" text,
  "more_information" text,
  "bank_guarantee_number" text,
  "name_of_beneficiary" text,
  "margin_money" double precision,
  "charges" double precision,
  "fixed_deposit_number" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_bank_guarantee.status.desc.with-f19bc23d8eb1"
  on "bank_guarantee" ("_organization", "status", "amount");
create index "_bank_guarantee.bg_type.desc.with-f19bc23d8eb1"
  on "bank_guarantee" ("_organization", "bg_type", "amount");
create index "_bank_guarantee.status.desc"
  on "bank_guarantee" ("_organization", "status", "id");
create index "_bank_guarantee.customer.desc"
  on "bank_guarantee" ("_organization", "customer", "id");
create index "_bank_guarantee.supplier.desc"
  on "bank_guarantee" ("_organization", "supplier", "id");
create index "_bank_guarantee.end_date.desc"
  on "bank_guarantee" ("_organization", "end_date", "id");
create index "_bank_guarantee.end_date.asc"
  on "bank_guarantee" ("_organization", "end_date" is null, "end_date", "id" desc);
create index "_bank_guarantee.amount.double precision.desc"
  on "bank_guarantee" ("_organization", "amount", "id");
create index "_bank_guarantee.amount.double precision.asc"
  on "bank_guarantee" ("_organization", "amount" is null, "amount", "id" desc);

insert into "_row_counter" values (1, 'bank_guarantee', '', 0, 0);

create table "discounted_invoice" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "invoice_discounting_id" text,
  "sales_invoice" text,
  "customer" text,
  "posting_date" text,
  "outstanding_amount" double precision,
  "debit_to" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "discounted_invoice_by_parent"
  on "discounted_invoice" ("_organization", "invoice_discounting_id", "idx", "id");

create table "invoice_discounting" (
  "_organization" bigint not null,
  "id" text not null,
  "status" text default 'draft',
  "posting_date" text,
  "loan_start_date" text,
  "loan_period" bigint,
  "loan_end_date" text,
  "company" text,
  "total_amount" double precision,
  "bank_charges" double precision,
  "short_term_loan" text,
  "bank_account" text,
  "bank_charges_account" text,
  "accounts_receivable_credit" text,
  "accounts_receivable_discounted" text,
  "accounts_receivable_unpaid" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_invoice_discounting.status.desc.with-8fba0e36a9e5"
  on "invoice_discounting" ("_organization", "status", "total_amount");
create index "_invoice_discounting.status.desc"
  on "invoice_discounting" ("_organization", "status", "id");
create index "_invoice_discounting.company.desc"
  on "invoice_discounting" ("_organization", "company", "id");
create index "_invoice_discounting.posting_date.desc"
  on "invoice_discounting" ("_organization", "posting_date", "id");
create index "_invoice_discounting.posting_date.asc"
  on "invoice_discounting" ("_organization", "posting_date" is null, "posting_date", "id" desc);
create index "_invoice_discounting.loan_end_date.desc"
  on "invoice_discounting" ("_organization", "loan_end_date", "id");
create index "_invoice_discounting.loan_end_date.asc"
  on "invoice_discounting" ("_organization", "loan_end_date" is null, "loan_end_date", "id" desc);

insert into "_row_counter" values (1, 'invoice_discounting', '', 0, 0);

create table "pos_closing_entry_taxes" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "pos_closing_entry_id" text,
  "amount" double precision,
  "account_head" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "pos_closing_entry_taxes_by_parent"
  on "pos_closing_entry_taxes" ("_organization", "pos_closing_entry_id", "idx", "id");

create table "pos_item_group" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "pos_profile_id" text,
  "item_group" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "pos_item_group_by_parent"
  on "pos_item_group" ("_organization", "pos_profile_id", "idx", "id");

create table "payment_reconciliation_payment" (
  "_organization" bigint not null,
  "id" text not null,
  "reference_type" text,
  "reference_name" text,
  "posting_date" text,
  "is_advance" text,
  "reference_row" text,
  "amount" double precision,
  "currency" text,
  "difference_amount" double precision,
  "exchange_rate" double precision,
  "cost_center" text,
  "remarks" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_payment_reconciliation_paym.8c189e6e4a7379d3.with-f19bc23d8eb1"
  on "payment_reconciliation_payment" ("_organization", "reference_type", "amount");
create index "_payment_reconciliation_payment.currency.desc.with-f19bc23d8eb1"
  on "payment_reconciliation_payment" ("_organization", "currency", "amount");
create index "_payment_reconciliation_payment.reference_type.desc"
  on "payment_reconciliation_payment" ("_organization", "reference_type", "id");
create index "_payment_reconciliation_payment.reference_name.desc"
  on "payment_reconciliation_payment" ("_organization", "reference_name", "id");
create index "_payment_reconciliation_payment.posting_date.desc"
  on "payment_reconciliation_payment" ("_organization", "posting_date", "id");
create index "_payment_reconciliation_payment.posting_date.asc"
  on "payment_reconciliation_payment" ("_organization", "posting_date" is null, "posting_date", "id" desc);
create index "_payment_reconciliation_payment.currency.desc"
  on "payment_reconciliation_payment" ("_organization", "currency", "id");
create index "_payment_reconciliation_payment.amount.double precision.desc"
  on "payment_reconciliation_payment" ("_organization", "amount", "id");
create index "_payment_reconciliation_payment.amount.double precision.asc"
  on "payment_reconciliation_payment" ("_organization", "amount" is null, "amount", "id" desc);

insert into "_row_counter" values (1, 'payment_reconciliation_payment', '', 0, 0);

create table "pricing_rule_brand" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "parent_id" text,
  "parent_type" text,
  "brand" text,
  "uom" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "pricing_rule_brand_by_parent"
  on "pricing_rule_brand" ("_organization", "parent_id", "idx", "id");

create table "pricing_rule_item_code" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "parent_id" text,
  "parent_type" text,
  "item_code" text,
  "uom" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "pricing_rule_item_code_by_parent"
  on "pricing_rule_item_code" ("_organization", "parent_id", "idx", "id");

create table "repost_payment_ledger" (
  "_organization" bigint not null,
  "id" text not null,
  "status" text default 'draft',
  "posting_date" text,
  "voucher_type" text,
  "company" text,
  "repost_status" text,
  "add_manually" boolean default false,
  "repost_error_log" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_repost_payment_ledger.status.desc.with-e3b0c44298fc"
  on "repost_payment_ledger" ("_organization", "status");
create index "_repost_payment_ledger.status.desc"
  on "repost_payment_ledger" ("_organization", "status", "id");
create index "_repost_payment_ledger.company.desc"
  on "repost_payment_ledger" ("_organization", "company", "id");
create index "_repost_payment_ledger.repost_status.desc"
  on "repost_payment_ledger" ("_organization", "repost_status", "id");
create index "_repost_payment_ledger.posting_date.desc"
  on "repost_payment_ledger" ("_organization", "posting_date", "id");
create index "_repost_payment_ledger.posting_date.asc"
  on "repost_payment_ledger" ("_organization", "posting_date" is null, "posting_date", "id" desc);

insert into "_row_counter" values (1, 'repost_payment_ledger', '', 0, 0);

create table "repost_payment_ledger_items" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "repost_payment_ledger_id" text,
  "voucher_type" text,
  "voucher_no" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "repost_payment_ledger_items_by_parent"
  on "repost_payment_ledger_items" ("_organization", "repost_payment_ledger_id", "idx", "id");

create table "subscription_settings" (
  "_organization" bigint not null,
  "id" text not null,
  "grace_period" bigint default 1,
  "cancel_after_grace" boolean default false,
  "prorate" boolean default true,
  "created_at" text not null,
  "updated_at" text not null,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);

create table "asset_shift_factor" (
  "_organization" bigint not null,
  "id" text not null,
  "shift_name" text,
  "shift_factor" double precision,
  "default" boolean default false,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_asset_shift_factor.default.boolean.desc"
  on "asset_shift_factor" ("_organization", "default", "id");
create index "_asset_shift_factor.shift_name.desc"
  on "asset_shift_factor" ("_organization", "shift_name", "id");
create index "_asset_shift_factor.shift_name.asc"
  on "asset_shift_factor" ("_organization", "shift_name" is null, "shift_name", "id" desc);
create index "_asset_shift_factor.shift_factor.double precision.desc"
  on "asset_shift_factor" ("_organization", "shift_factor", "id");
create index "_asset_shift_factor.shift_factor.double precision.asc"
  on "asset_shift_factor" ("_organization", "shift_factor" is null, "shift_factor", "id" desc);

insert into "_row_counter" values (1, 'asset_shift_factor', '', 0, 0);

create table "address" (
  "_organization" bigint not null,
  "id" text not null,
  "address_title" text,
  "address_type" text,
  "address_line1" text,
  "address_line2" text,
  "city" text,
  "county" text,
  "state" text,
  "country" text,
  "pincode" text,
  "email_id" text,
  "phone" text,
  "fax" text,
  "is_primary_address" boolean default false,
  "is_shipping_address" boolean default false,
  "disabled" boolean default false,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_address.address_type.desc.with-e3b0c44298fc"
  on "address" ("_organization", "address_type");
create index "_address.address_type.desc"
  on "address" ("_organization", "address_type", "id");
create index "_address.country.desc"
  on "address" ("_organization", "country", "id");
create index "_address.city.desc"
  on "address" ("_organization", "city", "id");
create index "_address.city.asc"
  on "address" ("_organization", "city" is null, "city", "id" desc);
create index "_address.pincode.desc"
  on "address" ("_organization", "pincode", "id");
create index "_address.address_title.desc"
  on "address" ("_organization", "address_title", "id");
create index "_address.address_title.asc"
  on "address" ("_organization", "address_title" is null, "address_title", "id" desc);

insert into "_row_counter" values (1, 'address', '', 0, 0);

create table "appointment_booking_settings" (
  "_organization" bigint not null,
  "id" text not null,
  "number_of_agents" bigint default 1,
  "holiday_list" text,
  "appointment_duration" bigint default 60,
  "email_reminders" boolean default false,
  "advance_booking_days" bigint default 7,
  "enable_scheduling" boolean default false,
  "success_redirect_url" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);

create table "appointment_booking_slots" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "appointment_booking_settings_id" text,
  "day_of_week" text,
  "from_time" text,
  "to_time" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "appointment_booking_slots_by_parent"
  on "appointment_booking_slots" ("_organization", "appointment_booking_settings_id", "idx", "id");

create table "competitor" (
  "_organization" bigint not null,
  "id" text not null,
  "competitor_name" text,
  "website" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_competitor.competitor_name.desc"
  on "competitor" ("_organization", "competitor_name", "id");
create index "_competitor.competitor_name.asc"
  on "competitor" ("_organization", "competitor_name" is null, "competitor_name", "id" desc);

insert into "_row_counter" values (1, 'competitor', '', 0, 0);

create table "lead" (
  "_organization" bigint not null,
  "id" text not null,
  "lead_name" text,
  "company_name" text,
  "email_id" text,
  "lead_owner" text default '__user',
  "status" text default 'Lead',
  "salutation" text,
  "gender" text,
  "customer" text,
  "image" text,
  "phone" text,
  "mobile_no" text,
  "fax" text,
  "type" text,
  "market_segment" text,
  "industry" text,
  "request_type" text,
  "company" text,
  "website" text,
  "territory" text,
  "unsubscribed" boolean default false,
  "blog_subscriber" boolean default false,
  "title" text,
  "language" text,
  "first_name" text,
  "middle_name" text,
  "last_name" text,
  "no_of_employees" text,
  "whatsapp_no" text,
  "phone_ext" text,
  "qualified_by" text,
  "qualified_on" text,
  "qualification_status" text,
  "job_title" text,
  "annual_revenue" double precision,
  "disabled" boolean default false,
  "city" text,
  "state" text,
  "country" text,
  "utm_content" text,
  "utm_source" text,
  "utm_medium" text,
  "utm_campaign" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_lead.status.desc.with-20229158a0e5"
  on "lead" ("_organization", "status", "annual_revenue");
create index "_lead.status.desc"
  on "lead" ("_organization", "status", "id");
create index "_lead.lead_owner.desc"
  on "lead" ("_organization", "lead_owner", "id");
create index "_lead.email_id.desc"
  on "lead" ("_organization", "email_id", "id");
create index "_lead.company_name.desc"
  on "lead" ("_organization", "company_name", "id");
create index "_lead.lead_name.desc"
  on "lead" ("_organization", "lead_name", "id");
create index "_lead.lead_name.asc"
  on "lead" ("_organization", "lead_name" is null, "lead_name", "id" desc);
create index "_lead.annual_revenue.double precision.desc"
  on "lead" ("_organization", "annual_revenue", "id");
create index "_lead.annual_revenue.double precision.asc"
  on "lead" ("_organization", "annual_revenue" is null, "annual_revenue", "id" desc);

insert into "_row_counter" values (1, 'lead', '', 0, 0);

create table "quotation" (
  "_organization" bigint not null,
  "id" text not null,
  "status" text default 'draft',
  "quotation_to" text default 'Customer',
  "party_name" text,
  "customer_name" text,
  "company" text,
  "transaction_date" text,
  "valid_till" text,
  "order_type" text default 'Sales',
  "customer_address" text,
  "address_display" text,
  "contact_person" text,
  "contact_display" text,
  "contact_mobile" text,
  "contact_email" text,
  "shipping_address_name" text,
  "shipping_address" text,
  "customer_group" text,
  "territory" text,
  "currency" text,
  "selling_price_list" text,
  "price_list_currency" text,
  "tax_category" text,
  "shipping_rule" text,
  "taxes_and_charges" text,
  "other_charges_calculation" text,
  "coupon_code" text,
  "referral_sales_partner" text,
  "apply_discount_on" text default 'Grand Total',
  "base_in_words" text,
  "in_words" text,
  "payment_terms_template" text,
  "tc_name" text,
  "terms" text,
  "letter_head" text,
  "select_print_heading" text,
  "language" text,
  "auto_repeat" text,
  "order_lost_reason" text,
  "enq_det" text,
  "supplier_quotation" text,
  "opportunity" text,
  "company_address" text,
  "company_address_display" text,
  "scan_barcode" text,
  "incoterm" text,
  "named_place" text,
  "utm_campaign" text,
  "utm_source" text,
  "utm_medium" text,
  "utm_content" text,
  "company_contact_person" text,
  "title" text,
  "conversion_rate" double precision,
  "plc_conversion_rate" double precision,
  "total_qty" double precision,
  "base_total" double precision,
  "base_net_total" double precision,
  "total" double precision,
  "net_total" double precision,
  "total_net_weight" double precision,
  "base_total_taxes_and_charges" double precision,
  "total_taxes_and_charges" double precision,
  "base_discount_amount" double precision,
  "additional_discount_percentage" double precision,
  "discount_amount" double precision,
  "base_grand_total" double precision,
  "base_rounding_adjustment" double precision,
  "base_rounded_total" double precision,
  "grand_total" double precision,
  "rounding_adjustment" double precision,
  "rounded_total" double precision,
  "ignore_pricing_rule" boolean default false,
  "group_same_items" boolean default false,
  "disable_rounded_total" boolean default false,
  "has_unit_price_items" boolean default false,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_quotation.status.desc.with-33e628c4f991"
  on "quotation" ("_organization", "status", "grand_total");
create index "_quotation.currency.desc.with-33e628c4f991"
  on "quotation" ("_organization", "currency", "grand_total");
create index "_quotation.status.desc"
  on "quotation" ("_organization", "status", "id");
create index "_quotation.party_name.desc"
  on "quotation" ("_organization", "party_name", "id");
create index "_quotation.transaction_date.desc"
  on "quotation" ("_organization", "transaction_date", "id");
create index "_quotation.transaction_date.asc"
  on "quotation" ("_organization", "transaction_date" is null, "transaction_date", "id" desc);
create index "_quotation.valid_till.desc"
  on "quotation" ("_organization", "valid_till", "id");
create index "_quotation.valid_till.asc"
  on "quotation" ("_organization", "valid_till" is null, "valid_till", "id" desc);

insert into "_row_counter" values (1, 'quotation', '', 0, 0);

create table "sales_stage" (
  "_organization" bigint not null,
  "id" text not null,
  "stage_name" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_sales_stage.stage_name.desc"
  on "sales_stage" ("_organization", "stage_name", "id");
create index "_sales_stage.stage_name.asc"
  on "sales_stage" ("_organization", "stage_name" is null, "stage_name", "id" desc);

insert into "_row_counter" values (1, 'sales_stage', '', 0, 0);

create table "bom_explosion_item" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "bom_id" text,
  "item_code" text,
  "item_name" text,
  "source_warehouse" text,
  "operation" text,
  "description" text,
  "image" text,
  "image_view" text,
  "stock_qty" double precision,
  "rate" double precision,
  "qty_consumed_per_unit" double precision,
  "stock_uom" text,
  "amount" double precision,
  "include_item_in_manufacturing" boolean default false,
  "sourced_by_supplier" boolean default false,
  "is_sub_assembly_item" boolean default false,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "bom_explosion_item_by_parent"
  on "bom_explosion_item" ("_organization", "bom_id", "idx", "id");

create table "bom_item" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "bom_id" text,
  "item_code" text,
  "item_name" text,
  "operation" text,
  "bom_no" text,
  "source_warehouse" text,
  "description" text,
  "image" text,
  "image_view" text,
  "qty" double precision,
  "uom" text,
  "stock_qty" double precision,
  "stock_uom" text,
  "conversion_factor" double precision,
  "rate" double precision,
  "base_rate" double precision,
  "amount" double precision,
  "base_amount" double precision,
  "qty_consumed_per_unit" double precision,
  "allow_alternative_item" boolean default false,
  "include_item_in_manufacturing" boolean default false,
  "original_item" text,
  "has_variants" boolean default false,
  "sourced_by_supplier" boolean default false,
  "do_not_explode" boolean default false,
  "is_stock_item" boolean default false,
  "operation_row_id" bigint,
  "is_sub_assembly_item" boolean default false,
  "is_phantom_item" boolean default false,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "bom_item_by_parent"
  on "bom_item" ("_organization", "bom_id", "idx", "id");

create table "quotation_lost_reason" (
  "_organization" bigint not null,
  "id" text not null,
  "order_lost_reason" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_quotation_lost_reason.order_lost_reason.desc"
  on "quotation_lost_reason" ("_organization", "order_lost_reason", "id");
create index "_quotation_lost_reason.order_lost_reason.asc"
  on "quotation_lost_reason" ("_organization", "order_lost_reason" is null, "order_lost_reason", "id" desc);

insert into "_row_counter" values (1, 'quotation_lost_reason', '', 0, 0);

create table "signing_document" (
  "_organization" bigint not null,
  "id" text not null,
  "status" text default 'draft',
  "document_type" text default 'document',
  "template_type" text,
  "template_id" text,
  "source" text default 'document',
  "title" text,
  "company" text,
  "external_id" text,
  "signing_status" text default 'pending',
  "completed_at" text,
  "signing_order" text default 'parallel',
  "allow_dictate_next_signer" boolean default false,
  "typed_signature_enabled" boolean default true,
  "draw_signature_enabled" boolean default true,
  "upload_signature_enabled" boolean default true,
  "distribution_method" text default 'email',
  "email_subject" text,
  "email_message" text,
  "redirect_url" text,
  "timezone" text default 'Etc/UTC',
  "date_format" text default 'yyyy-MM-dd hh:mm a',
  "language" text default 'en',
  "expires_at" text,
  "reminder_settings" text,
  "auth_options" text,
  "form_values" text,
  "visibility" text default 'everyone',
  "public_title" text,
  "public_description" text,
  "reference_doctype" text,
  "reference_name" text,
  "party_type" text,
  "party_name" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_signing_document.status.desc.with-e3b0c44298fc"
  on "signing_document" ("_organization", "status");
create index "_signing_document.status.desc"
  on "signing_document" ("_organization", "status", "id");
create index "_signing_document.signing_status.desc"
  on "signing_document" ("_organization", "signing_status", "id");
create index "_signing_document.document_type.desc"
  on "signing_document" ("_organization", "document_type", "id");
create index "_signing_document.company.desc"
  on "signing_document" ("_organization", "company", "id");
create index "_signing_document.title.desc"
  on "signing_document" ("_organization", "title", "id");
create index "_signing_document.title.asc"
  on "signing_document" ("_organization", "title" is null, "title", "id" desc);
create index "_signing_document.expires_at.desc"
  on "signing_document" ("_organization", "expires_at", "id");
create index "_signing_document.expires_at.asc"
  on "signing_document" ("_organization", "expires_at" is null, "expires_at", "id" desc);

insert into "_row_counter" values (1, 'signing_document', '', 0, 0);

create table "signing_document_data" (
  "_organization" bigint not null,
  "id" text not null,
  "signing_document_id" text,
  "title" text,
  "display_order" bigint default 1,
  "storage_type" text default 's3',
  "data" text,
  "initial_data" text,
  "page_count" bigint,
  "content_type" text default 'application/pdf',
  "file_size" bigint,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_signing_document_data.signing_document_id.desc"
  on "signing_document_data" ("_organization", "signing_document_id", "id");
create index "_signing_document_data.content_type.desc"
  on "signing_document_data" ("_organization", "content_type", "id");
create index "_signing_document_data.display_order.bigint.desc"
  on "signing_document_data" ("_organization", "display_order", "id");
create index "_signing_document_data.display_order.bigint.asc"
  on "signing_document_data" ("_organization", "display_order" is null, "display_order", "id" desc);

insert into "_row_counter" values (1, 'signing_document_data', '', 0, 0);

create table "quality_inspection_parameter_group" (
  "_organization" bigint not null,
  "id" text not null,
  "group_name" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_quality_inspection_parameter_group.group_name.desc"
  on "quality_inspection_parameter_group" ("_organization", "group_name", "id");
create index "_quality_inspection_parameter_group.group_name.asc"
  on "quality_inspection_parameter_group" ("_organization", "group_name" is null, "group_name", "id" desc);

insert into "_row_counter" values (1, 'quality_inspection_parameter_group', '', 0, 0);

create table "subcontracting_bom" (
  "_organization" bigint not null,
  "id" text not null,
  "is_active" boolean default true,
  "finished_good" text,
  "finished_good_qty" double precision default 1,
  "finished_good_bom" text,
  "service_item" text,
  "service_item_qty" double precision default 1,
  "service_item_uom" text,
  "conversion_factor" double precision,
  "finished_good_uom" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_subcontracting_bom.is_active.boolean.desc.with-e3b0c44298fc"
  on "subcontracting_bom" ("_organization", "is_active");
create index "_subcontracting_bom.is_active.boolean.desc"
  on "subcontracting_bom" ("_organization", "is_active", "id");
create index "_subcontracting_bom.finished_good.desc"
  on "subcontracting_bom" ("_organization", "finished_good", "id");
create index "_subcontracting_bom.finished_good.asc"
  on "subcontracting_bom" ("_organization", "finished_good" is null, "finished_good", "id" desc);
create index "_subcontracting_bom.service_item.desc"
  on "subcontracting_bom" ("_organization", "service_item", "id");

insert into "_row_counter" values (1, 'subcontracting_bom', '', 0, 0);

create table "issue" (
  "_organization" bigint not null,
  "id" text not null,
  "subject" text,
  "customer" text,
  "raised_by" text,
  "status" text default 'Open',
  "priority" text,
  "issue_type" text,
  "description" text,
  "service_level_agreement" text,
  "response_by" text,
  "first_responded_on" text,
  "lead" text,
  "contact" text,
  "email_account" text,
  "customer_name" text,
  "project" text,
  "company" text,
  "resolution_details" text,
  "opening_date" text,
  "opening_time" text,
  "content_type" text,
  "attachment" text,
  "via_customer_portal" boolean default false,
  "service_level_agreement_creation" text,
  "issue_split_from" text,
  "avg_response_time" bigint,
  "resolution_time" bigint,
  "user_resolution_time" bigint,
  "on_hold_since" text,
  "total_hold_time" bigint,
  "agreement_status" text default 'First Response Due',
  "first_response_time" bigint,
  "sla_resolution_by" text,
  "sla_resolution_date" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_issue.status.desc.with-e3b0c44298fc"
  on "issue" ("_organization", "status");
create index "_issue.priority.desc.with-e3b0c44298fc"
  on "issue" ("_organization", "priority");
create index "_issue.status.desc"
  on "issue" ("_organization", "status", "id");
create index "_issue.priority.desc"
  on "issue" ("_organization", "priority", "id");
create index "_issue.priority.asc"
  on "issue" ("_organization", "priority" is null, "priority", "id" desc);
create index "_issue.customer.desc"
  on "issue" ("_organization", "customer", "id");
create index "_issue.opening_date.desc"
  on "issue" ("_organization", "opening_date", "id");
create index "_issue.opening_date.asc"
  on "issue" ("_organization", "opening_date" is null, "opening_date", "id" desc);

insert into "_row_counter" values (1, 'issue', '', 0, 0);
