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
  "settings" json,
  "layout" json,
  "tags" json,
  "sizes" json,
  "marks" json default '["new"]',
  "codes" json default '["north","south","east","west"]',
  "number" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
create unique index "item_number_unique"
  on "item" ("_organization", "number");

insert into "_row_counter" values (1, 'item', '', 0, 0);
