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

create table "_api_key_version" (
  "id" bigint not null primary key,
  "version" bigint not null
);

insert into "_api_key_version" values (1, 0);

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

create table "payment_reconciliation_of_invoices_and_advances" (
  "_organization" bigint not null,
  "id" text not null,
  "default_advance_received_or_paid_account_of_the_party_in_full" text,
  "default_advance_received_or_paid_account_of_the_party" text default 'Advances of this kind, to whoever they go to',
  "state_of_the_reconciliation_of_invoices_and_advances" text default 'not yet begun',
  "amount_that_is_not_reconciled" double precision default 123456789.125,
  "created_at" text not null,
  "updated_at" text not null,
  primary key ("_organization", "id")
);

insert into "_row_counter" values (1, 'payment_reconciliation_of_invoices_and_advances', '', 0, 0);

create table "payment_reconciliation_payment_of_an_advance" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "payment_reconciliation_of_invoices_and_advances_id" text,
  primary key ("_organization", "id")
);
create index "payment_reconciliation_payment_of_an_advance_by_parent"
  on "payment_reconciliation_payment_of_an_advance"
  ("_organization", "payment_reconciliation_of_invoices_and_advances_id", "idx", "id");
