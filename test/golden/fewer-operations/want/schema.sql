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

create table "answer" (
  "id" text not null primary key,
  "idx" bigint,
  "question_id" text,
  "text" text
);

create index "answer_by_parent"
  on "answer"
  ("question_id", "idx", "id");

create table "archive" (
  "id" text not null primary key,
  "text" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_row_counter" values ('archive', '', 0, 0);

create table "question" (
  "id" text not null primary key,
  "text" text,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_row_counter" values ('question', '', 0, 0);

create table "settings" (
  "id" text not null primary key,
  "greeting" text default 'Hello',
  "created_at" text not null,
  "updated_at" text not null
);
