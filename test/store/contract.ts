import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { z } from 'zod';

import { newId } from '../../runtime/kernel/model/ids.ts';
import {
  boolean,
  id,
  integer,
  nullable,
  number,
  oneOf,
  optional,
  position,
  text,
  timestamp,
  type Value,
} from '../../runtime/kernel/model/fields.ts';
import { lineItem, listed, record, singleton, type Table, type Trait } from '../../runtime/kernel/model/table.ts';
import type { Page } from '../../runtime/kernel/records/page.ts';
import type { Write, WriteResult } from '../../runtime/kernel/records/write.ts';
import { recordStatements, refusedByRouter } from '../support/citus-router.ts';
import type { MainStore } from '../support/main-store.ts';
import {
  citus,
  describeEngine,
  type Engine,
  engines,
  expectExactTotals,
  type TestDatabase,
  textOf,
  itemsOf,
} from '../support/databases.ts';
import { jsonOf } from '../support/main-store.ts';

const times = { created_at: timestamp(), updated_at: timestamp() };

/** Records can be shown with their line items. The trait of the feature is this, but tests of the kernel run without it, too. */
const expands =
  (items: string): Trait =>
  (table) => ({ ...table, expand: { ...table.expand, [items]: { table: items } } });

/** A top-level record, with fields that are words of SQL. */
export const company = record(
  'company',
  z.strictObject({
    id: id(),
    name: optional(text()),
    status: optional(text(), 'draft'),
    order: optional(integer(), 1),
    default: optional(number()),
    user: optional(boolean(), false),
    ...times,
  }),
  {},
  [expands('office'), expands('vehicle')],
);

const ofCompany = { parent: { field: 'company_id', table: 'company' } };

export const office = lineItem(
  'office',
  z.strictObject({ id: id(), idx: position(), company_id: text(), city: optional(text()) }),
  ofCompany,
);

export const vehicle = lineItem(
  'vehicle',
  z.strictObject({ id: id(), idx: position(), company_id: text() }),
  ofCompany,
);

/** A line item whose parent is a pair, and lives elsewhere. */
export const rule = lineItem(
  'rule',
  z.strictObject({
    id: id(),
    idx: position(),
    parent_id: nullable(text()),
    parent_type: text(),
    name: optional(text()),
  }),
  { parent: { field: 'parent_id', typeField: 'parent_type' } },
);

/** A line item whose parent lives elsewhere, of a resource that was called otherwise before. */
export const part = lineItem('part', z.strictObject({ id: id(), idx: position(), machine_id: text() }), {
  parent: { field: 'machine_id' },
  renamedFrom: ['component'],
});

/** A record of a resource that was called otherwise before, as was a value of one of its fields. */
export const branch = record(
  'branch',
  z.strictObject({
    id: id(),
    name: optional(text()),
    kind: optional(oneOf(['shop', 'depot'], { store: 'shop' })),
    ...times,
  }),
  {
    renamedFrom: ['site', 'a_much_longer_name'],
  },
);

/** More columns than a function of PostgreSQL takes arguments for. */
export const wide = record(
  'wide',
  z.strictObject({
    id: id(),
    ...Object.fromEntries(
      [...'abcdefghij'].flatMap((letter) => [
        ...Array.from({ length: 4 }, (_, n) => [`${letter}_text_${n}`, optional(text())] as const),
        ...Array.from({ length: 3 }, (_, n) => [`${letter}_integer_${n}`, optional(integer())] as const),
        ...Array.from({ length: 3 }, (_, n) => [`${letter}_number_${n}`, optional(number())] as const),
        ...Array.from({ length: 3 }, (_, n) => [`${letter}_boolean_${n}`, optional(boolean())] as const),
      ]),
    ),
    ...times,
  }),
);

export const options = singleton(
  'options',
  z.strictObject({ id: id(), limit: optional(integer(), 5), label: optional(text()), ...times }),
  {},
  [expands('slot')],
);

export const slot = lineItem('slot', z.strictObject({ id: id(), idx: position(), options_id: text() }), {
  parent: { field: 'options_id', table: 'options' },
});

const ticketFields = {
  id: id(),
  subject: optional(text()),
  notes: optional(text()),
  status: optional(text()),
  number: optional(integer()),
  amount: optional(number()),
  open: optional(boolean()),
  ...times,
};

const byAll = ['subject', 'status', 'number', 'amount', 'open'];
const byFields = listed({ filter: byAll, sort: byAll, search: ['subject', 'notes'] });

/** A record that is found by fields of every type. */
export const ticket = record('ticket', z.strictObject(ticketFields), {}, [byFields]);

/** The same, of a resource that was called otherwise before. */
export const claim = record('claim', z.strictObject(ticketFields), { renamedFrom: ['complaint'] }, [byFields]);

/** A line item that is found by its fields. */
export const task = lineItem(
  'task',
  z.strictObject({
    id: id(),
    idx: position(),
    company_id: text(),
    status: optional(text()),
    number: optional(integer()),
  }),
  ofCompany,
  [listed({ filter: ['status', 'number'], sort: ['number'], search: ['status'] })],
);

export const tables: readonly Table[] = [
  company,
  office,
  vehicle,
  rule,
  part,
  branch,
  wide,
  options,
  slot,
  ticket,
  claim,
  task,
];

const emptied = [
  ...tables.filter(({ kind }) => kind !== 'singleton').map(({ name }) => `delete from "${name}"`),
  `update "options" set "limit" = 5, "label" = null`,
  `delete from "_row_counter" where "parent" <> ''`,
  // The rows of the records stay: without them, their tables would count as those of singletons.
  `update "_row_counter" set "count" = 0`,
].join(';\n');

export type Fields = Readonly<Record<string, Value>>;
export type Stored = Record<string, Value> & { id: string };

/** The write that stores these fields, with the defaults of the others. */
export function insertOf(table: Table, fields: Fields = {}): Write & { op: 'insert' } {
  const created = newId(table.name);
  const all: Fields = { id: created.id, created_at: created.time, updated_at: created.time, ...fields };
  const values = table.columns.map(({ name, default: value }) => (name in all ? (all[name] as Value) : value));
  return { op: 'insert', table: table.name, values };
}

/** The row that an insert must store. */
export const storedBy = (table: Table, { values }: { values: readonly Value[] }): Stored =>
  Object.fromEntries(table.columns.map(({ name }, place) => [name, values[place]])) as Stored;

/** A store, and what a test wants to know of it. */
export class Subject {
  store!: MainStore;
  database!: TestDatabase;
  /** Other stores over the same database, as of other servers. */
  readonly others: MainStore[] = [];

  async open(engine: Engine): Promise<void> {
    this.database = await engine.create(tables);
    this.store = await this.database.open(tables);
  }

  async another(): Promise<MainStore> {
    const store = await this.database.open(tables);
    this.others.push(store);
    return store;
  }

  /** Closes what `another` has opened. */
  async closeOthers(): Promise<void> {
    for (const store of this.others.splice(0)) await store.close();
  }

  async close(): Promise<void> {
    await this.store?.close();
    await this.database?.[Symbol.asyncDispose]();
  }

  /** Does a write that succeeds, and gives the record as it is now. */
  async written(write: Write, store = this.store): Promise<Stored> {
    const result = await store.write(write);
    expect(result).toMatchObject({ outcome: 'written' });
    const { json } = result as WriteResult & { outcome: 'written' };
    return parsed(tableNamed(write.table), json);
  }

  insert(table: Table, fields: Fields = {}): Promise<Stored> {
    return this.written(insertOf(table, fields));
  }

  async get(table: Table, one: string): Promise<Stored | undefined> {
    const json = await jsonOf(this.store, table.name, one);
    return json === undefined ? undefined : parsed(table, String(json));
  }

  /** A page, its items put together. */
  async page(table: Table, page: Partial<Page> = {}, store = this.store): Promise<Whole | undefined> {
    const listing = await store.list(table.name, { limit: 1000, offset: 0, ...page });
    if (!listing) return undefined;
    const { total, hasMore } = listing;
    const texts = await textOf(itemsOf(store, table.name, listing, page.projection));
    const rows = (JSON.parse(`[${texts}]`) as Stored[]).map((row) => inOrder(table, row));
    return { total, hasMore, items: rows };
  }

  /** All items of a list. */
  async items(table: Table, where: Fields = {}): Promise<Stored[]> {
    const page = await this.page(table, { where });
    return page?.items ?? [];
  }

  /** Compares the totals that are kept with the rows that are there, by the engine's own count. */
  async expectExactTotals(): Promise<void> {
    await expectExactTotals(this.database, tables);
  }
}

export interface Whole {
  readonly total: number;
  readonly hasMore: boolean;
  readonly items: Stored[];
}

export function tableNamed(name: string): Table {
  const found = tables.find((table) => table.name === name);
  if (!found) throw new Error(`There is no table ${name}.`);
  return found;
}

function inOrder(table: Table, row: Stored): Stored {
  expect(Object.keys(row)).toEqual(table.columns.map(({ name }) => name));
  return row;
}

/** A record from its JSON text, whose keys are in the order of the table. */
export const parsed = (table: Table, json: string): Stored => inOrder(table, JSON.parse(json) as Stored);

/** Runs the same cases on the store of each engine, every case over empty tables. */
export function onEachEngine(cases: (subject: Subject, engine: Engine) => void): void {
  for (const engine of [...engines, citus]) {
    describeEngine(engine, 'the store', () => {
      const subject = new Subject();
      let sent: ReturnType<typeof recordStatements>;
      beforeAll(async () => {
        sent = recordStatements();
        await subject.open(engine);
      });
      afterAll(async () => {
        sent[Symbol.dispose]();
        // A cluster refuses them itself.
        const refused = engine.name === 'PostgreSQL' ? await refusedByRouter(subject.database.url, sent.texts) : [];
        await subject.close();
        expect(refused).toEqual([]);
      });
      beforeEach(async () => {
        await subject.database.execute(emptied);
        // The reads of one turn of the event loop may see the database as it was at the first of them.
        await new Promise(setImmediate);
      });
      afterEach(async () => {
        await subject.closeOthers();
        await subject.expectExactTotals();
      });
      cases(subject, engine);
    });
  }
}
