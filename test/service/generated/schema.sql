-- Generated from spec/. Edit the spec, then run `npm run generate`.
-- The server makes these tables by itself, and adds to older ones what is new.

create table "_row_counter" (
  "table" text not null,
  "parent" text not null,
  "shard" bigint not null,
  "count" bigint not null,
  primary key ("table", "parent", "shard")
);

create table "_required_column" (
  "name" text not null primary key
);

create table "machine" (
  "id" text not null primary key,
  "serial_number" text,
  "model" text,
  "location" text,
  "condition" text default 'new',
  "power" text,
  "built_on" text,
  "warranty_ends_on" text default '2030-12-31',
  "serviced_at" text,
  "alarm_at" text default '06:00:00Z',
  "part_id" text,
  "support_email" text,
  "manual" text,
  "hours" bigint default 0,
  "weight" double precision,
  "tolerance" double precision default 0.25,
  "is_leased" boolean,
  "is_insured" boolean default true,
  "region" text default 'eu-west',
  "inspected_by" text,
  "risk" bigint default 3,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_row_counter" values ('machine', '', 0, 0);

create table "competitor" (
  "id" text not null primary key,
  "competitor_name" text,
  "website" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_row_counter" values ('competitor', '', 0, 0);

create table "lead" (
  "id" text not null primary key,
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
  "updated_at" text not null
);

insert into "_row_counter" values ('lead', '', 0, 0);

create table "attachment" (
  "id" text not null primary key,
  "order_id" text,
  "title" text,
  "position" bigint default 1,
  "storage" text default 's3',
  "data" text,
  "preview" text,
  "page_count" bigint,
  "content_type" text default 'application/pdf',
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_row_counter" values ('attachment', '', 0, 0);

create table "bom_item" (
  "id" text not null primary key,
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
  "is_phantom_item" boolean default false
);

create index "bom_item_by_parent"
  on "bom_item"
  ("bom_id", "idx", "id");

create table "discount_brand" (
  "id" text not null primary key,
  "idx" bigint,
  "parent_id" text,
  "parent_type" text,
  "brand" text,
  "unit" text
);

create index "discount_brand_by_parent"
  on "discount_brand"
  ("parent_id", "idx", "id");

create table "order" (
  "id" text not null primary key,
  "status" text default 'draft',
  "ordered_on" text,
  "company" text,
  "currency" text,
  "contact" text,
  "due_on" text,
  "shipped_on" text,
  "payment_days" bigint,
  "total" double precision,
  "discount" double precision,
  "notes" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_row_counter" values ('order', '', 0, 0);

create table "order_line" (
  "id" text not null primary key,
  "idx" bigint,
  "order_id" text,
  "article" text,
  "quantity" double precision,
  "due_on" text
);

create index "order_line_by_parent"
  on "order_line"
  ("order_id", "idx", "id");

create table "booking_settings" (
  "id" text not null primary key,
  "number_of_bays" bigint default 1,
  "holiday_list" text,
  "visit_minutes" bigint default 60,
  "email_reminders" boolean default false,
  "days_ahead" bigint default 7,
  "takes_bookings" boolean default false,
  "confirmation_page" text,
  "created_at" text not null,
  "updated_at" text not null
);

create table "booking_slot" (
  "id" text not null primary key,
  "idx" bigint,
  "booking_settings_id" text,
  "day_of_week" text,
  "from_time" text,
  "to_time" text
);

create index "booking_slot_by_parent"
  on "booking_slot"
  ("booking_settings_id", "idx", "id");
