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

create table "calendar" (
  "id" text not null primary key,
  "name" text,
  "created_at" text not null,
  "updated_at" text not null
);

create table "slot" (
  "id" text not null primary key,
  "idx" bigint,
  "from_time" text,
  "calendar_id" text
);

create index "slot_by_parent"
  on "slot"
  ("calendar_id", "idx", "id");

create table "order_line" (
  "id" text not null primary key,
  "idx" bigint,
  "order_id" text,
  "item" text,
  "amount" bigint default 1
);

create index "order_line_by_parent"
  on "order_line"
  ("order_id", "idx", "id");

create table "sales_order" (
  "id" text not null primary key,
  "customer" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_row_counter" values ('sales_order', '', 0, 0);
