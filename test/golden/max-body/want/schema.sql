-- Generated from spec/. Edit the spec, then run `npm run generate`.
-- The server makes these tables by itself, and adds to older ones what is new.

create table "_total" (
  "table" text not null,
  "parent" text not null,
  "slot" bigint not null,
  "count" bigint not null,
  primary key ("table", "parent", "slot")
);

create table "film" (
  "id" text not null primary key,
  "data" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_total" values ('film', '', 0, 0);

create table "note" (
  "id" text not null primary key,
  "text" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_total" values ('note', '', 0, 0);

create table "page" (
  "id" text not null primary key,
  "data" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_total" values ('page', '', 0, 0);

create table "photo" (
  "id" text not null primary key,
  "data" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_total" values ('photo', '', 0, 0);
