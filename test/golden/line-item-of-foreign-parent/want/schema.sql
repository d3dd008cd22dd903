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

create table "bom_item" (
  "id" text not null primary key,
  "idx" bigint,
  "bom_id" text,
  "item_code" text,
  "amount" double precision
);

create index "bom_item_by_parent"
  on "bom_item"
  ("bom_id", "idx", "id");
