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

create table "payment_reconciliation_of_invoices_and_advances" (
  "id" text not null primary key,
  "default_advance_received_or_paid_account_of_the_party_in_full" text,
  "default_advance_received_or_paid_account_of_the_party" text default 'Advances of this kind, to whoever they go to',
  "state_of_the_reconciliation_of_invoices_and_advances" text default 'not yet begun',
  "amount_that_is_not_reconciled" double precision default 123456789.125,
  "created_at" text not null,
  "updated_at" text not null
);

insert into "_row_counter" values ('payment_reconciliation_of_invoices_and_advances', '', 0, 0);

create table "payment_reconciliation_payment_of_an_advance" (
  "id" text not null primary key,
  "idx" bigint,
  "payment_reconciliation_of_invoices_and_advances_id" text
);

create index "payment_reconciliation_payment_of_an_advance_by_parent"
  on "payment_reconciliation_payment_of_an_advance"
  ("payment_reconciliation_of_invoices_and_advances_id", "idx", "id");
