-- Generated from spec/. Edit the spec, then run `npm run generate`.
-- The server makes these tables by itself, and adds to older ones what is new.

create table "_total" (
  "table" text not null,
  "parent" text not null,
  "slot" bigint not null,
  "count" bigint not null,
  primary key ("table", "parent", "slot")
);

create table "visit" (
  "id" text not null primary key,
  "guest" text,
  "day" text,
  "mood" text,
  "length" bigint,
  "is_paid" boolean,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_total" values ('visit', '', 0, 0);
