-- Generated from spec/. Edit the spec, then run `npm run generate`.
-- The server makes these tables by itself, and adds to older ones what is new.
-- A \u with four digits stands for a character that is invisible.

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

create table "lead" (
  "id" text not null primary key,
  "size" text,
  "code" text default 'a\u2067b',
  "hidden" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_row_counter" values ('lead', '', 0, 0);
