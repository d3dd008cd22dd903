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
create index "_delivery_by_state"
  on "_delivery" ("_organization", "webhook", "state", "at", "event");
create index "_delivery_by_record"
  on "_delivery" ("_organization", "webhook", "record", "event") where "state" = 'waiting';

create table "_lease" (
  "name" text not null primary key,
  "holder" text not null,
  "until" bigint not null
);

create table "lead" (
  "_organization" bigint not null,
  "id" text not null,
  "single" text default 'it''s',
  "double" text default 'the "best"',
  "both" text default 'it''s "the" best',
  "more_singles" text default '''tis "it''s"',
  "back" text default 'C:\new\table',
  "end" text default 'back\',
  "ticks" text default '`${name}`',
  "lines" text default 'a
b	c',
  "separators" text default 'a b cd ef',
  "control" text default '',
  "comment" text default '*/ // <!-- --',
  "empty" text default '',
  "emoji" text default '🙂',
  "sql" text default '''); drop table lead; --',
  "quoted" text default 'it''s',
  "pattern" text default 'a/b''\"',
  "created_at" text not null,
  "updated_at" text not null,
  primary key ("_organization", "id")
);

insert into "_row_counter" values (1, 'lead', '', 0, 0);

create table "group" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "references" text,
  "index" bigint,
  "values" text,
  "idx_by" boolean default false,
  primary key ("_organization", "id")
);
create index "group_by_parent"
  on "group" ("_organization", "references", "idx", "id");

create table "select" (
  "_organization" bigint not null,
  "id" text not null,
  "default" text,
  "order" bigint,
  "class" text default 'first',
  "select" double precision,
  "table" boolean,
  "type" text default 'from',
  "from" text,
  "where" text,
  "delete" text,
  "await" text,
  "async" text,
  "new" text,
  "null" text,
  "true" boolean,
  "undefined" text,
  "this" text,
  "function" text,
  "import" text,
  "export" text,
  "let" text,
  "enum" text,
  "rowid" text,
  "oid" bigint,
  "primary" text,
  "transaction" text,
  "count" bigint,
  "total" text,
  "data" text,
  "limit" bigint,
  "offset" bigint,
  "idx" bigint,
  "valueof" text,
  "z" text,
  "text" text,
  "created_at" text not null,
  "updated_at" text not null,
  primary key ("_organization", "id")
);

insert into "_row_counter" values (1, 'select', '', 0, 0);
