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

create table "film" (
  "id" text not null primary key,
  "data" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_row_counter" values ('film', '', 0, 0);

create table "note" (
  "id" text not null primary key,
  "text" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_row_counter" values ('note', '', 0, 0);

create table "page" (
  "id" text not null primary key,
  "data" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_row_counter" values ('page', '', 0, 0);

create table "photo" (
  "id" text not null primary key,
  "data" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_row_counter" values ('photo', '', 0, 0);
