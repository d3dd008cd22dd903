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

create table "date" (
  "id" text not null primary key,
  "date" text default '2024-02-29',
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_row_counter" values ('date', '', 0, 0);

create table "object" (
  "id" text not null primary key,
  "string" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_row_counter" values ('object', '', 0, 0);

create table "promise" (
  "id" text not null primary key,
  "idx" bigint,
  "record_id" text
);

create index "promise_by_parent"
  on "promise"
  ("record_id", "idx", "id");

create table "record" (
  "id" text not null primary key,
  "number" bigint,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_row_counter" values ('record', '', 0, 0);

create table "z" (
  "id" text not null primary key,
  "env" text,
  "created_at" text not null,
  "updated_at" text not null
);
