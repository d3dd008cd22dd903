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

create table "person" (
  "id" text not null primary key,
  "full_name" text,
  "phone" text default 'none',
  "is_new" boolean,
  "created_at" text not null,
  "updated_at" text not null
);

create index "person_by_creation"
  on "person"
  (substr("id", length("id") - 25));

insert into "_row_counter" values ('person', '', 0, 0);
