create table "rule_brand" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "parent_id" text,
  "parent_type" text,
  "brand" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "rule_brand_by_parent"
  on "rule_brand" ("_organization", "parent_id", "idx", "id");

create table "contact" (
  "_organization" bigint not null,
  "id" text not null,
  "email" text,
  "nickname" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_email_folded" text,
  "_nickname_folded" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create unique index "contact_email_unique_ignore_case"
  on "contact" ("_organization", "_email_folded");
create unique index "contact_nickname_unique_ignore_case"
  on "contact" ("_organization", "_nickname_folded");

insert into "_row_counter" values (1, 'contact', '', 0, 0);

create table "customer" (
  "_organization" bigint not null,
  "id" text not null,
  "number" bigint,
  "company" text,
  "code" text,
  "email" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_email_folded" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create unique index "customer_number_unique"
  on "customer" ("_organization", "number");
create unique index "customer_company_code_unique"
  on "customer" ("_organization", "company", "code");
create unique index "customer_email_unique_ignore_case"
  on "customer" ("_organization", "_email_folded");

insert into "_row_counter" values (1, 'customer', '', 0, 0);

create table "deal" (
  "_organization" bigint not null,
  "id" text not null,
  "title" text,
  "stage" text default 'open',
  "company" text default 'Smith, Wesson \ Sons',
  "email" text,
  "closes_on" text,
  "called_at" text,
  "amount" double precision,
  "seats" bigint,
  "is_open" boolean,
  "sort" text,
  "limit" bigint,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_deal.stage.desc"
  on "deal" ("_organization", "stage", "id");
create index "_deal.company.desc"
  on "deal" ("_organization", "company", "id");
create index "_deal.closes_on.desc"
  on "deal" ("_organization", "closes_on", "id");
create index "_deal.closes_on.asc"
  on "deal" ("_organization", "closes_on" is null, "closes_on", "id" desc);
create index "_deal.called_at.desc"
  on "deal" ("_organization", "called_at", "id");
create index "_deal.amount.double precision.desc"
  on "deal" ("_organization", "amount", "id");
create index "_deal.amount.double precision.asc"
  on "deal" ("_organization", "amount" is null, "amount", "id" desc);
create index "_deal.seats.bigint.desc"
  on "deal" ("_organization", "seats", "id");
create index "_deal.is_open.boolean.desc"
  on "deal" ("_organization", "is_open", "id");
create index "_deal.is_open.boolean.asc"
  on "deal" ("_organization", "is_open" is null, "is_open", "id" desc);
create index "_deal.updated_at.desc"
  on "deal" ("_organization", "updated_at", "id");

insert into "_row_counter" values (1, 'deal', '', 0, 0);

create table "deal_part" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "deal_id" text,
  "article" text,
  "maker_id" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id"),
  constraint "deal_part_maker_id_fkey" foreign key ("_organization", "maker_id")
    references "contact" ("_organization", "id") deferrable initially deferred
);
create index "deal_part_by_parent"
  on "deal_part" ("_organization", "deal_id", "idx", "id");
create index "_deal_part.maker_id.desc"
  on "deal_part" ("_organization", "maker_id", "id");

create table "message" (
  "_organization" bigint not null,
  "id" text not null,
  "text" text,
  "sent_on" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);

insert into "_row_counter" values (1, 'message', '', 0, 0);

create table "note" (
  "_organization" bigint not null,
  "id" text not null,
  "text" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "_note.text.desc"
  on "note" ("_organization", "text", "id");
create index "_note.text.asc"
  on "note" ("_organization", "text" is null, "text", "id" desc);

insert into "_row_counter" values (1, 'note', '', 0, 0);

create table "visit" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "customer_id" text,
  "day" text,
  "host_id" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id"),
  constraint "visit_host_id_fkey" foreign key ("_organization", "host_id")
    references "customer" ("_organization", "id") deferrable initially deferred
);
create index "visit_by_parent"
  on "visit" ("_organization", "customer_id", "idx", "id");
create unique index "visit_customer_id_day_unique"
  on "visit" ("_organization", "customer_id", "day");
create unique index "visit_host_id_day_unique"
  on "visit" ("_organization", "host_id", "day");
create index "_visit.host_id.desc"
  on "visit" ("_organization", "host_id", "id");

create table "archive" (
  "_organization" bigint not null,
  "id" text not null,
  "text" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);

insert into "_row_counter" values (1, 'archive', '', 0, 0);

create table "bom_item" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "bom_id" text,
  "item_code" text,
  "amount" double precision,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "bom_item_by_parent"
  on "bom_item" ("_organization", "bom_id", "idx", "id");

create table "order_line" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "order_id" text,
  "item" text,
  "amount" bigint default 1,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create index "order_line_by_parent"
  on "order_line" ("_organization", "order_id", "idx", "id");

create table "sales_order" (
  "_organization" bigint not null,
  "id" text not null,
  "seller_id" text,
  "payer" text,
  "former_id" text,
  "letter" text,
  "status" text default 'draft',
  "payment" text default 'open',
  "created_at" text not null,
  "updated_at" text not null,
  "_version" bigint not null default 1,
  primary key ("_organization", "id"),
  constraint "sales_order_seller_id_fkey" foreign key ("_organization", "seller_id")
    references "staff" ("_organization", "id") deferrable initially deferred,
  constraint "sales_order_payer_fkey" foreign key ("_organization", "payer")
    references "staff" ("_organization", "id") deferrable initially deferred,
  constraint "sales_order_former_id_fkey" foreign key ("_organization", "former_id")
    references "sales_order" ("_organization", "id") deferrable initially deferred
);
create index "_sales_order.seller_id.desc"
  on "sales_order" ("_organization", "seller_id", "id");
create index "_sales_order.payer.desc"
  on "sales_order" ("_organization", "payer", "id");
create index "_sales_order.former_id.desc"
  on "sales_order" ("_organization", "former_id", "id");

insert into "_row_counter" values (1, 'sales_order', '', 0, 0);

create table "bom" (
  "_organization" bigint not null,
  "id" text not null,
  "name" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);

insert into "_row_counter" values (1, 'bom', '', 0, 0);

create table "hourly_rate" (
  "_organization" bigint not null,
  "id" text not null,
  "name" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);

insert into "_row_counter" values (1, 'hourly_rate', '', 0, 0);

create table "settings" (
  "_organization" bigint not null,
  "id" text not null,
  "name" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);

create table "shop_settings" (
  "_organization" bigint not null,
  "id" text not null,
  "owner" text,
  "country" text,
  "budget" double precision,
  "page_size" bigint default 20,
  "currency" text default 'EUR',
  "theme" text,
  "visits" bigint default 0,
  "founded_on" text,
  "bank" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);

create table "staff" (
  "_organization" bigint not null,
  "id" text not null,
  "name" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);

insert into "_row_counter" values (1, 'staff', '', 0, 0);
