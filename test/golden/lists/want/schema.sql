-- Generated from spec/. Edit the spec, then run `npm run generate`.
-- The server makes these tables by itself, and adds to older ones what is new.

create table "_organization" (
  "id" bigint not null primary key,
  "name" text not null unique,
  "created_at" text
);

insert into "_organization" values (1, 'main', null);

create table "_row_counter" (
  "_organization" bigint not null,
  "table" text not null,
  "parent" text not null,
  "shard" bigint not null,
  "count" bigint not null,
  primary key ("_organization", "table", "parent", "shard")
);

create table "_required_column" (
  "name" text not null primary key
);

create table "deal" (
  "_organization" bigint not null,
  "id" text not null,
  "title" text,
  "stage" text default 'open',
  "company" text default 'Smith, Wesson \ Sons',
  "email" text,
  "closes_on" text,
  "called_at" text,
  "amount" double precision,
  "seats" bigint,
  "is_open" boolean,
  "sort" text,
  "limit" bigint,
  "created_at" text not null,
  "updated_at" text not null,
  primary key ("_organization", "id")
);

insert into "_row_counter" values (1, 'deal', '', 0, 0);

create table "deal_part" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "deal_id" text,
  "article" text,
  primary key ("_organization", "id")
);

create index "deal_part_by_parent"
  on "deal_part"
  ("_organization", "deal_id", "idx", "id");

create table "message" (
  "_organization" bigint not null,
  "id" text not null,
  "text" text,
  "created_at" text not null,
  "updated_at" text not null,
  primary key ("_organization", "id")
);

insert into "_row_counter" values (1, 'message', '', 0, 0);

create table "note" (
  "_organization" bigint not null,
  "id" text not null,
  "text" text,
  "created_at" text not null,
  "updated_at" text not null,
  primary key ("_organization", "id")
);

insert into "_row_counter" values (1, 'note', '', 0, 0);
