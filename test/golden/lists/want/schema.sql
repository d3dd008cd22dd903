-- Generated from spec/. Edit the spec, then run `npm run generate`.
-- The server makes these tables by itself, and adds to older ones what is new.

create table "_organization" (
  "id" bigint not null primary key,
  "name" text unique,
  "created_at" text,
  "deleted_at" text
);

insert into "_organization" values (1, 'main', null, null);

create table "_api_key" (
  "id" text not null primary key,
  "_organization" bigint not null,
  "digest" text not null,
  "name" text not null,
  "scopes" text not null,
  "rate" text,
  "created_at" text not null,
  "expires_at" text,
  "revoked_at" text,
  "last_used_at" text
);

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
  "_search" text,
  primary key ("_organization", "id")
);
create index "_deal.stage.desc"
  on "deal" ("_organization", "stage", "id");
create index "_deal.company.desc"
  on "deal" ("_organization", "company", "id");
create index "_deal.closes_on.desc"
  on "deal" ("_organization", "closes_on", "id");
create index "_deal.closes_on.asc"
  on "deal" ("_organization", "closes_on" is null, "closes_on", "id" desc);
create index "_deal.called_at.desc"
  on "deal" ("_organization", "called_at", "id");
create index "_deal.amount.double precision.desc"
  on "deal" ("_organization", "amount", "id");
create index "_deal.amount.double precision.asc"
  on "deal" ("_organization", "amount" is null, "amount", "id" desc);
create index "_deal.seats.bigint.desc"
  on "deal" ("_organization", "seats", "id");
create index "_deal.is_open.boolean.desc"
  on "deal" ("_organization", "is_open", "id");
create index "_deal.is_open.boolean.asc"
  on "deal" ("_organization", "is_open" is null, "is_open", "id" desc);
create index "_deal.updated_at.desc"
  on "deal" ("_organization", "updated_at", "id");

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
  on "deal_part" ("_organization", "deal_id", "idx", "id");

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
  "_search" text,
  primary key ("_organization", "id")
);
create index "_note.text.desc"
  on "note" ("_organization", "text", "id");
create index "_note.text.asc"
  on "note" ("_organization", "text" is null, "text", "id" desc);

insert into "_row_counter" values (1, 'note', '', 0, 0);
