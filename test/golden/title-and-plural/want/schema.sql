-- Generated from spec/. Edit the spec, then run `npm run generate`.
-- The server makes these tables by itself, and adds to older ones what is new.

create table "_total" (
  "table" text not null,
  "parent" text not null,
  "slot" bigint not null,
  "count" bigint not null,
  primary key ("table", "parent", "slot")
);

create table "bom" (
  "id" text not null primary key,
  "name" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_total" values ('bom', '', 0, 0);

create table "hourly_rate" (
  "id" text not null primary key,
  "name" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_total" values ('hourly_rate', '', 0, 0);

create table "settings" (
  "id" text not null primary key,
  "name" text,
  "created_at" text not null,
  "updated_at" text not null
);

create table "staff" (
  "id" text not null primary key,
  "name" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_total" values ('staff', '', 0, 0);
