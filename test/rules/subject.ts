import { afterAll, afterEach, beforeAll, expect } from 'vitest';

import type { Value } from '../../runtime/kernel/model/fields.ts';
import { newId } from '../../runtime/kernel/model/ids.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { features } from '../../runtime/features.ts';
import { perform, plainPipeline } from '../../runtime/kernel/records/perform.ts';
import { createRecord, updateRecord } from '../../runtime/kernel/records/prepare.ts';
import type { SingleWrite, Write, WriteResult } from '../../runtime/kernel/records/write.ts';
import { mainOrganization } from '../../runtime/kernel/sql/schema.ts';
import { citus, describeEngine, type Engine, engines, type TestDatabase } from '../support/databases.ts';
import type { MainStore } from '../support/main-store.ts';
import { tables } from './bills.ts';

export type Fields = Readonly<Record<string, Value>>;
export type Stored = Fields & { readonly id: string };

/**
 * The bills whose computed fields are not those of their lines, as the engine itself finds them in one moment.
 *
 * @param ids of bills, if only these and their lines are to be read
 */
export function wrongBills(ids?: readonly string[]): string {
  const isOf = (id: string): string =>
    ids ? `("_organization" = ${mainOrganization} and ${id} in (${ids.map((one) => `'${one}'`).join(', ')}))` : 'true';
  return `
  select b."id", b."total", b."lines", b."due" from (select * from "bill" where ${isOf('"id"')}) b left join (
    select "_organization", "bill_id", sum("amount") as "total", count(*) as "lines", sum("quantity") as "pieces", max("spent_on") as "latest",
      min("price") as "cheapest", min("weight") as "lightest" from "line" where ${isOf('"bill_id"')} group by "_organization", "bill_id"
  ) l on l."_organization" = b."_organization" and l."bill_id" = b."id"
  where b."total" is distinct from coalesce(l."total", 0) or b."lines" is distinct from coalesce(l."lines", 0)
    or b."pieces" is distinct from coalesce(l."pieces", 0) or b."latest" is distinct from l."latest"
    or b."cheapest" is distinct from l."cheapest" or b."lightest" is distinct from l."lightest"
    or b."due" is distinct from b."total" - coalesce(b."discount", 0)
    or b."fees" is distinct from (select count(*) from "fee" f where f."_organization" = b."_organization" and f."bill_id" = b."id")
    or b."charged" is distinct from (select coalesce(sum("amount"), 0) from "fee" f where f."_organization" = b."_organization" and f."bill_id" = b."id")
    or b."is_paid_by_other" is distinct from (b."payer_id" is not null)
  union all select "id", "amount", "quantity", "price" from "line" where ${isOf('"bill_id"')} and "amount" is distinct from "price" * "quantity"
  ${ids ? '' : wrongOthers}`;
}

/** The payers and articles whose computed fields are not those of the bills and lines that reference them. */
const wrongOthers = `
  union all select p."id", p."owed", p."bills", p."largest" from "payer" p left join (
    select "_organization", "payer_id", sum("total") as "owed", count(*) as "bills", sum(case when "status" = 'sent' then 0 else 1 end) as "open",
      max(case when "status" = 'draft' and "lines" > 2 then "due" end) as "largest", max("latest") as "latest" from "bill" group by "_organization", "payer_id"
  ) b on b."_organization" = p."_organization" and b."payer_id" = p."id"
  where p."owed" is distinct from coalesce(b."owed", 0) or p."bills" is distinct from coalesce(b."bills", 0)
    or p."open" is distinct from coalesce(b."open", 0) or p."largest" is distinct from b."largest" or p."latest" is distinct from b."latest"
  union all select a."id", a."cheapest", a."pieces", a."cheapest" from "article" a left join (
    select "_organization", "article_id", sum("quantity") as "pieces", min("price") as "cheapest",
      sum(case when "quantity" > 3 or "notes" is null then 1 else 0 end) as "many" from "line" group by "_organization", "article_id"
  ) l on l."_organization" = a."_organization" and l."article_id" = a."id"
  where a."pieces" is distinct from coalesce(l."pieces", 0) or a."cheapest" is distinct from l."cheapest" or a."many" is distinct from coalesce(l."many", 0)`;

/** A store of bills. */
export class Subject {
  readonly engine: Engine;
  database!: TestDatabase;
  store!: MainStore;

  constructor(engine: Engine) {
    this.engine = engine;
  }

  async open(): Promise<void> {
    this.database = await this.engine.create(tables);
    this.store = await this.database.open(tables);
  }

  async close(): Promise<void> {
    await this.store?.close();
    await this.database?.[Symbol.asyncDispose]();
  }

  readonly write = (write: Write): Promise<WriteResult> => this.store.write(write);

  /** Does a write that succeeds, and gives the record as it is then. */
  async written(write: Write): Promise<Stored> {
    const result = await this.store.write(write);
    expect(result).toMatchObject({ outcome: 'written' });
    return JSON.parse((result as WriteResult & { outcome: 'written' }).json) as Stored;
  }

  readonly insert = (table: Table, fields: Fields = {}): Promise<Stored> => this.written(insertOf(table, fields));

  async get(table: Table, id: string): Promise<Stored> {
    const found = await this.store.get(table.name, id);
    return JSON.parse(String(found?.json ?? 'null')) as Stored;
  }

  /** As a request creates a record. */
  async create(table: Table, body: Fields): Promise<unknown> {
    return perform(plainPipeline(features.list), this.store, await createRecord(this.store, table, body), () => true);
  }

  /** As a request changes a record. */
  change(table: Table, id: string, body: Fields): Promise<unknown> {
    return perform(plainPipeline(features.list), this.store, updateRecord(table, id, body), () => true);
  }

  /** @param ids of bills, if only these are to be read */
  async expectTrue(ids?: readonly string[]): Promise<void> {
    expect(await this.database.query(wrongBills(ids))).toEqual([]);
  }
}

/** The write that stores these fields, with the defaults of the others. */
export function insertOf(table: Table, fields: Fields = {}): SingleWrite & { op: 'insert' } {
  const created = newId(table.name);
  const all: Fields = { id: created.id, created_at: created.time, updated_at: created.time, ...fields };
  const values = table.columns.map(({ name, default: value }) => (name in all ? (all[name] as Value) : value));
  return { op: 'insert', table: table.name, values };
}

export const idOf = ({ values }: { readonly values: readonly Value[] }): string => values[0] as string;

export const updateOf = (table: Table, id: string, set: Fields): SingleWrite => ({
  op: 'update',
  table: table.name,
  id,
  set,
  expected: {},
  time: new Date().toISOString(),
});

export const deleteOf = (table: Table, id: string): SingleWrite => ({
  op: 'delete',
  table: table.name,
  id,
  time: new Date().toISOString(),
});

export const sendOf = (id: string): SingleWrite => ({
  op: 'transition',
  table: 'bill',
  id,
  name: 'send',
  field: 'status',
  from: ['draft', 'checked'],
  to: 'sent',
  time: new Date().toISOString(),
});

export const batchOf = (...writes: readonly SingleWrite[]): Write => ({
  op: 'batch',
  table: (writes[0] as SingleWrite).table,
  writes,
  isTrial: false,
});

export function onEachEngine(what: string, cases: (subject: Subject) => void): void {
  for (const engine of [...engines, citus]) {
    describeEngine(engine, what, () => {
      const subject = new Subject(engine);
      beforeAll(() => subject.open());
      afterAll(() => subject.close());
      afterEach(() => subject.expectTrue());
      cases(subject);
    });
  }
}
