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

create table "rule_brand" (
  "id" text not null primary key,
  "idx" bigint,
  "parent_id" text,
  "parent_type" text,
  "brand" text
);

create index "rule_brand_by_parent"
  on "rule_brand"
  ("parent_id", "idx", "id");
