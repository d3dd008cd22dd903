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
  "_version" bigint not null default 1,
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
  "_version" bigint not null default 1,
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
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);

insert into "_row_counter" values (1, 'select', '', 0, 0);
