-- Generated from spec/. Edit the spec, then run `npm run generate`.
-- The server makes these tables by itself, and adds to older ones what is new.

create table "_organization" (
  "id" bigint not null primary key,
  "name" text unique,
  "created_at" text,
  "deleted_at" text
);

insert into "_organization" values (1, 'main', null, null);

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

create table "_api_key_version" (
  "id" bigint not null primary key,
  "version" bigint not null
);

insert into "_api_key_version" values (1, 0);

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

create table "machine" (
  "_organization" bigint not null,
  "id" text not null,
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
  "updated_at" text not null,
  "_search" text,
  primary key ("_organization", "id")
);
create index "_machine.serial_number.desc"
  on "machine" ("_organization", "serial_number", "id");
create index "_machine.condition.desc"
  on "machine" ("_organization", "condition", "id");
create index "_machine.built_on.desc"
  on "machine" ("_organization", "built_on", "id");
create index "_machine.serviced_at.desc"
  on "machine" ("_organization", "serviced_at", "id");
create index "_machine.serviced_at.asc"
  on "machine" ("_organization", "serviced_at" is null, "serviced_at", "id" desc);
create index "_machine.alarm_at.desc"
  on "machine" ("_organization", "alarm_at", "id");
create index "_machine.alarm_at.asc"
  on "machine" ("_organization", "alarm_at" is null, "alarm_at", "id" desc);
create index "_machine.part_id.desc"
  on "machine" ("_organization", "part_id", "id");
create index "_machine.part_id.asc"
  on "machine" ("_organization", "part_id" is null, "part_id", "id" desc);
create index "_machine.support_email.desc"
  on "machine" ("_organization", "support_email", "id");
create index "_machine.support_email.asc"
  on "machine" ("_organization", "support_email" is null, "support_email", "id" desc);
create index "_machine.manual.desc"
  on "machine" ("_organization", "manual", "id");
create index "_machine.manual.asc"
  on "machine" ("_organization", "manual" is null, "manual", "id" desc);
create index "_machine.hours.bigint.desc"
  on "machine" ("_organization", "hours", "id");
create index "_machine.hours.bigint.asc"
  on "machine" ("_organization", "hours" is null, "hours", "id" desc);
create index "_machine.weight.double precision.desc"
  on "machine" ("_organization", "weight", "id");
create index "_machine.is_leased.boolean.desc"
  on "machine" ("_organization", "is_leased", "id");
create index "_machine.is_insured.boolean.desc"
  on "machine" ("_organization", "is_insured", "id");
create index "_machine.is_insured.boolean.asc"
  on "machine" ("_organization", "is_insured" is null, "is_insured", "id" desc);
create index "_machine.inspected_by.desc"
  on "machine" ("_organization", "inspected_by", "id");
create index "_machine.model.desc"
  on "machine" ("_organization", "model", "id");
create index "_machine.model.asc"
  on "machine" ("_organization", "model" is null, "model", "id" desc);
create index "_machine.power.desc"
  on "machine" ("_organization", "power", "id");
create index "_machine.power.asc"
  on "machine" ("_organization", "power" is null, "power", "id" desc);
create index "_machine.warranty_ends_on.desc"
  on "machine" ("_organization", "warranty_ends_on", "id");
create index "_machine.warranty_ends_on.asc"
  on "machine" ("_organization", "warranty_ends_on" is null, "warranty_ends_on", "id" desc);
create index "_machine.tolerance.double precision.desc"
  on "machine" ("_organization", "tolerance", "id");
create index "_machine.tolerance.double precision.asc"
  on "machine" ("_organization", "tolerance" is null, "tolerance", "id" desc);

insert into "_row_counter" values (1, 'machine', '', 0, 0);

create table "competitor" (
  "_organization" bigint not null,
  "id" text not null,
  "competitor_name" text,
  "website" text,
  "created_at" text not null,
  "updated_at" text not null,
  primary key ("_organization", "id")
);

insert into "_row_counter" values (1, 'competitor', '', 0, 0);

create table "contact" (
  "_organization" bigint not null,
  "id" text not null,
  "full_name" text,
  "company" text,
  "birthday" text,
  "notes" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  primary key ("_organization", "id")
);
create index "contact_by_creation"
  on "contact" ("_organization", substr("id", length("id") - 25));
create index "_contact.company.desc.renamed"
  on "contact" ("_organization", "company", substr("id", length("id") - 25));
create index "_contact.birthday.desc.renamed"
  on "contact" ("_organization", "birthday", substr("id", length("id") - 25));
create index "_contact.full_name.desc.renamed"
  on "contact" ("_organization", "full_name", substr("id", length("id") - 25));
create index "_contact.full_name.asc.renamed"
  on "contact" ("_organization", "full_name" is null, "full_name", substr("id", length("id") - 25) desc);

insert into "_row_counter" values (1, 'contact', '', 0, 0);

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
  primary key ("_organization", "id")
);
create index "_lead.status.desc"
  on "lead" ("_organization", "status", "id");
create index "_lead.lead_owner.desc"
  on "lead" ("_organization", "lead_owner", "id");
create index "_lead.annual_revenue.double precision.desc"
  on "lead" ("_organization", "annual_revenue", "id");
create index "_lead.annual_revenue.double precision.asc"
  on "lead" ("_organization", "annual_revenue" is null, "annual_revenue", "id" desc);
create index "_lead.disabled.boolean.desc"
  on "lead" ("_organization", "disabled", "id");
create index "_lead.lead_name.desc"
  on "lead" ("_organization", "lead_name", "id");
create index "_lead.lead_name.asc"
  on "lead" ("_organization", "lead_name" is null, "lead_name", "id" desc);

insert into "_row_counter" values (1, 'lead', '', 0, 0);

create table "attachment" (
  "_organization" bigint not null,
  "id" text not null,
  "order_id" text,
  "title" text,
  "position" bigint default 1,
  "storage" text default 's3',
  "data" text,
  "preview" text,
  "page_count" bigint,
  "content_type" text default 'application/pdf',
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  primary key ("_organization", "id")
);
create index "_attachment.order_id.desc"
  on "attachment" ("_organization", "order_id", "id");
create index "_attachment.content_type.desc"
  on "attachment" ("_organization", "content_type", "id");

insert into "_row_counter" values (1, 'attachment', '', 0, 0);

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
  primary key ("_organization", "id")
);
create index "bom_item_by_parent"
  on "bom_item" ("_organization", "bom_id", "idx", "id");

create table "discount_brand" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "parent_id" text,
  "parent_type" text,
  "brand" text,
  "unit" text,
  primary key ("_organization", "id")
);
create index "discount_brand_by_parent"
  on "discount_brand" ("_organization", "parent_id", "idx", "id");

create table "order" (
  "_organization" bigint not null,
  "id" text not null,
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
  "updated_at" text not null,
  "_search" text,
  primary key ("_organization", "id")
);
create index "_order.status.desc"
  on "order" ("_organization", "status", "id");
create index "_order.company.desc"
  on "order" ("_organization", "company", "id");
create index "_order.ordered_on.desc"
  on "order" ("_organization", "ordered_on", "id");
create index "_order.ordered_on.asc"
  on "order" ("_organization", "ordered_on" is null, "ordered_on", "id" desc);
create index "_order.total.double precision.desc"
  on "order" ("_organization", "total", "id");
create index "_order.total.double precision.asc"
  on "order" ("_organization", "total" is null, "total", "id" desc);

insert into "_row_counter" values (1, 'order', '', 0, 0);

create table "order_line" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "order_id" text,
  "article" text,
  "quantity" double precision,
  "due_on" text,
  primary key ("_organization", "id")
);
create index "order_line_by_parent"
  on "order_line" ("_organization", "order_id", "idx", "id");

create table "booking_settings" (
  "_organization" bigint not null,
  "id" text not null,
  "number_of_bays" bigint default 1,
  "holiday_list" text,
  "visit_minutes" bigint default 60,
  "email_reminders" boolean default false,
  "days_ahead" bigint default 7,
  "takes_bookings" boolean default false,
  "confirmation_page" text,
  "created_at" text not null,
  "updated_at" text not null,
  primary key ("_organization", "id")
);

create table "booking_slot" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "booking_settings_id" text,
  "day_of_week" text,
  "from_time" text,
  "to_time" text,
  primary key ("_organization", "id")
);
create index "booking_slot_by_parent"
  on "booking_slot" ("_organization", "booking_settings_id", "idx", "id");
