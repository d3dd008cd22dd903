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

create table "_webhook" (
  "id" text not null primary key,
  "_organization" bigint not null,
  "url" text not null,
  "secret" text not null,
  "filter" text not null,
  "state" text not null,
  "why" text,
  "position" bigint not null,
  "created_at" text not null
);

create table "_delivery" (
  "_organization" bigint not null,
  "webhook" text not null,
  "event" bigint not null,
  "type" text not null,
  "record" text not null,
  "state" text not null,
  "attempts" bigint not null,
  "queued" bigint not null,
  "at" bigint not null,
  "answer" text,
  "duration" bigint,
  primary key ("_organization", "webhook", "event")
);
create index "_delivery_by_turn"
  on "_delivery" ("_organization", "webhook", "at", "event") where "state" = 'waiting';
create index "_delivery_by_record"
  on "_delivery" ("_organization", "webhook", "record", "event") where "state" = 'waiting';
create index "_delivery_by_age"
  on "_delivery" ("_organization", "webhook", "at") where "state" = 'delivered';

create table "_lease" (
  "name" text not null primary key,
  "holder" text not null,
  "until" bigint not null
);

create table "_event" (
  "_organization" bigint not null,
  "number" bigint,
  "noted_at" bigint,
  "time" text not null,
  "actor" text,
  "request_id" text,
  "operation" text not null,
  "resource" text not null,
  "record" text not null,
  "version" bigint not null,
  "changes" text not null
);
create unique index "_event_by_number" on "_event" ("_organization", "number");
create index "_event_by_record" on "_event" ("_organization", "record", "version");
create index "_event_unnumbered" on "_event" ("_organization", "noted_at") where "number" is null;

create table "_answer" (
  "_organization" bigint not null,
  "owner" text not null,
  "key" text not null,
  "digest" text not null,
  "answer" text not null,
  "time" text not null,
  primary key ("_organization", "owner", "key")
);
create index "_answer_by_time" on "_answer" ("_organization", "time");

create table "item" (
  "_organization" bigint not null,
  "id" text not null,
  "name" text,
  "code" text,
  "sku" text default 'AB/1',
  "note" text,
  "colour" text,
  "shape" text,
  "made_on" text,
  "sold_on" text,
  "seen_at" text,
  "sold_at" text,
  "count" bigint,
  "rooms" bigint,
  "floor" bigint default 0,
  "weight" double precision,
  "price" double precision,
  "discount" double precision default 0.25,
  "huge" double precision default -1.5e-7,
  "is_new" boolean,
  "is_sold" boolean,
  "is_kept" boolean default true,
  "tags" json,
  "sizes" json,
  "marks" json default '["new"]',
  "codes" json default '["north","south","east","west"]',
  "created_at" text not null,
  "updated_at" text not null,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);

insert into "_row_counter" values (1, 'item', '', 0, 0);
