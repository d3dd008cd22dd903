-- Generated from spec/. Edit the spec, then run `npm run generate`.
-- The server makes these tables by itself, and adds to older ones what is new.

create table "_total" (
  "table" text not null,
  "parent" text not null,
  "slot" bigint not null,
  "count" bigint not null,
  primary key ("table", "parent", "slot")
);

create table "date" (
  "id" text not null primary key,
  "date" text default '2024-02-29',
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_total" values ('date', '', 0, 0);

create table "object" (
  "id" text not null primary key,
  "string" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_total" values ('object', '', 0, 0);

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

insert into "_total" values ('record', '', 0, 0);

create table "z" (
  "id" text not null primary key,
  "env" text,
  "created_at" text not null,
  "updated_at" text not null
);
