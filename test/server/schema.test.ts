import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { CliError } from '../../runtime/kernel/model/errors.ts';
import type { Fields } from '../../runtime/kernel/records/prepare.ts';
import {
  boolean,
  id,
  initiallyNull,
  integer,
  nullable,
  number,
  optional,
  position,
  renamed,
  text,
  timestamp,
} from '../../runtime/kernel/model/fields.ts';
import { lineItem, record, singleton, type Table } from '../../runtime/kernel/model/table.ts';
import type { Page } from '../../runtime/kernel/records/page.ts';
import { createRecord, updateRecord } from '../support/operations.ts';
import { jsonOf, type MainStore, onlyJson, openSqlite } from '../support/main-store.ts';
import { service } from '../service/generated/app.ts';
import { testKey, testProject } from '../support/server.ts';
import { Folder, serverCommand } from './command.ts';
import type { Openings } from './open-worker.ts';
import { serviceName, textOf } from '../support/databases.ts';
import { applicationId } from '../../runtime/engines/sqlite/open.ts';

type Shape = Record<string, z.ZodType>;
type Row = Record<string, unknown>;
type Options = Parameters<typeof record>[2];

const recordOf = (name: string, fields: Shape, options?: Options): Table =>
  record(name, z.strictObject({ id: id(), ...fields, created_at: timestamp(), updated_at: timestamp() }), options);

const singletonOf = (name: string, fields: Shape): Table =>
  singleton(name, z.strictObject({ id: id(), ...fields, created_at: timestamp(), updated_at: timestamp() }));

const itemOf = (name: string, field: string, fields: Shape, parent: object = {}, options?: Options): Table =>
  lineItem(name, z.strictObject({ id: id(), idx: position(), [field]: text(), ...fields }), {
    ...options,
    parent: { field, ...parent },
  });

/** A database in a folder of its own, opened again and again: by the store, and by hand. */
class Database implements Disposable {
  readonly #folder = new Folder();
  readonly file = this.#folder.file('records.db');

  /** Opens a store with these tables, and closes it after the work. */
  async open<T>(tables: readonly Table[], work: (store: MainStore) => Promise<T>): Promise<T> {
    await using store = await openSqlite(this.file, tables, serviceName);
    return await work(store);
  }

  /** Brings the database to these tables. */
  sync(tables: readonly Table[]): Promise<void> {
    return this.open(tables, async () => {});
  }

  /** Opens a store, which must be refused and leave every byte as it is. */
  async refusal(tables: readonly Table[]): Promise<string> {
    const before = readFileSync(this.file);
    const schema = this.rows('select * from sqlite_schema');
    let message = '';
    try {
      await this.sync(tables);
    } catch (error) {
      expect(error).toBeInstanceOf(CliError);
      message = (error as Error).message;
    }
    expect(message, 'refused').not.toBe('');
    expect(this.rows('select * from sqlite_schema')).toEqual(schema);
    expect(readFileSync(this.file).equals(before), 'unchanged').toBe(true);
    return message;
  }

  rows(sql: string): Row[] {
    const database = new DatabaseSync(this.file, { readOnly: true });
    try {
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  }

  byHand(sql: string): void {
    const database = new DatabaseSync(this.file);
    try {
      database.exec(sql);
    } finally {
      database.close();
    }
  }

  columns(table: string): Row[] {
    return this.rows(`select name, lower(type) as type from pragma_table_info('${table}')`);
  }

  indexColumns(index: string): unknown[] {
    return this.rows(`select name from pragma_index_info('${index}')`).map(({ name }) => name);
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

async function create(store: MainStore, table: Table, body: Fields = {}): Promise<Row & { id: string }> {
  return JSON.parse((await createRecord(store, table, body)).text) as Row & { id: string };
}

async function listOf(
  store: MainStore,
  table: Table,
  page: Partial<Page> = {},
): Promise<{ data: Row[]; total: number }> {
  const { items, total } = (await store.list(table.name, { limit: 100, offset: 0, ...page }))!;
  return { data: JSON.parse(`[${await textOf(items)}]`) as Row[], total };
}

const quoted = 'it\'s a "default"\n\';--';

const company = recordOf('company', {
  name: text(),
  size: optional(integer()),
  rate: optional(number()),
  active: optional(boolean(), true),
});

test('a new database has the tables, the settings and a total of nothing', async () => {
  using database = new Database();
  const note = itemOf('note', 'company_id', { text: text() }, { table: 'company' });
  const options = singletonOf('options', { limit: optional(integer(), 5), owner: initiallyNull(text()) });
  await database.open([company, note, options], async (store) => {
    expect(await listOf(store, company)).toEqual({ data: [], total: 0 });
    expect(await listOf(store, note, { where: { company_id: 'x' } })).toEqual({ data: [], total: 0 });
    expect(JSON.parse(await onlyJson(store, 'options'))).toEqual({
      id: expect.stringMatching(/^options_/),
      limit: 5,
      owner: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });
  const types = ['bigint', 'text', 'text', 'bigint', 'double precision', 'boolean', 'text', 'text', 'bigint'];
  expect(database.columns('company').map(({ type }) => type)).toEqual(types);
  const names = ['_organization', 'id', 'idx', 'company_id', 'text', '_version'];
  expect(database.columns('note').map(({ name }) => name)).toEqual(names);
  expect(database.indexColumns('note_by_parent')).toEqual(['_organization', 'company_id', 'idx', 'id']);
  expect(database.rows('pragma journal_mode')).toEqual([{ journal_mode: 'wal' }]);
});

test('opening a database again changes no byte of it', async () => {
  using database = new Database();
  const tables = [company, itemOf('note', 'company_id', {}), singletonOf('options', { limit: optional(integer(), 5) })];
  await database.open(tables, (store) => create(store, company, { name: 'Acme' }));
  const before = readFileSync(database.file);
  const settings = await database.open(tables, async (store) => onlyJson(store, 'options'));
  expect(readFileSync(database.file).equals(before)).toBe(true);
  expect(JSON.parse(settings)).toMatchObject({ limit: 5 });
});

describe('tables and columns that are new in the spec are added', () => {
  const newer = recordOf('company', {
    name: text(),
    // In the middle, of every type, with a default and without, under names that SQL has other plans for.
    default: optional(text(), quoted),
    group: optional(text()),
    order: optional(integer(), -9007199254740991),
    select: optional(integer()),
    table: optional(number(), 0.1),
    values: optional(number(), 5),
    where: optional(number(), 1e300),
    from: optional(boolean(), true),
    index: optional(boolean(), false),
    limit: optional(boolean()),
    size: optional(integer()),
    rate: optional(number()),
    active: optional(boolean(), true),
  });
  const added = {
    default: quoted,
    group: null,
    order: -9007199254740991,
    select: null,
    table: 0.1,
    values: 5,
    where: 1e300,
    from: true,
    index: false,
    limit: null,
  };

  test('columns: older rows get the defaults and keep all they have', async () => {
    using database = new Database();
    const older = await database.open([company], async (store) => {
      const full = await create(store, company, { name: 'Zoë\n"', size: 2 ** 53 - 1, rate: 1 / 3, active: false });
      const bare = await create(store, company, { name: '' });
      return [bare, full];
    });
    await database.open([newer], async (store) => {
      const { data, total } = await listOf(store, newer);
      expect(data).toEqual(older.map((row) => ({ ...row, ...added })));
      expect(Object.keys(data[0] ?? {})).toEqual(newer.columns.map(({ name }) => name));
      expect(total).toBe(2);
      const made = await create(store, newer, { name: 'New', default: 'other', limit: false });
      expect(made).toMatchObject({ ...added, name: 'New', default: 'other', limit: false });
      expect(await listOf(store, newer)).toEqual({ data: [made, ...data], total: 3 });
      const changed = JSON.parse(
        await updateRecord(store, newer, String(data[1]?.['id']), { order: 7, index: true }),
      ) as Row;
      expect(changed).toEqual({ ...data[1], order: 7, index: true, updated_at: changed['updated_at'] });
    });
    const types = Object.keys(added).map((name) => `typeof("${name}") as "${name}"`);
    const [stored] = database.rows(`select ${types.join(', ')} from company order by id limit 1 offset 1`);
    const wanted = 'text null integer null real real real integer integer null';
    expect(Object.values(stored!).join(' ')).toBe(wanted);
  });

  test('tables of every kind, beside one with rows', async () => {
    using database = new Database();
    const { id: parent } = await database.open([company], (store) => create(store, company, { name: 'Acme' }));
    const order = recordOf('order', { title: text() });
    const note = itemOf('note', 'company_id', { text: text() }, { table: 'company' });
    const options = singletonOf('options', { limit: optional(integer(), 5) });
    const settings = await database.open([order, company, note, options], async (store) => {
      expect(await listOf(store, order)).toEqual({ data: [], total: 0 });
      const made = await create(store, order, { title: 'first' });
      expect(await listOf(store, order)).toEqual({ data: [made], total: 1 });
      expect(await create(store, note, { company_id: parent, text: 'hello' })).toMatchObject({ idx: 1, text: 'hello' });
      expect((await listOf(store, company)).total).toBe(1);
      return onlyJson(store, 'options');
    });
    await database.open([order, company, note, options], async (store) => {
      expect(await onlyJson(store, 'options')).toBe(settings);
      expect((await listOf(store, order)).total).toBe(1);
    });
  });

  test('a default that is changed is for new rows', async () => {
    using database = new Database();
    const level = (value: number): Table => recordOf('company', { level: optional(integer(), value) });
    await database.open([level(1)], (store) => create(store, level(1)));
    await database.open([level(2)], async (store) => {
      await create(store, level(2));
      expect((await listOf(store, level(2))).data.map((row) => row['level'])).toEqual([2, 1]);
    });
  });

  test('a field that a create must send, with a value or null, or that is free of a limit needs nothing', async () => {
    using database = new Database();
    const loose = recordOf('company', { name: optional(text()), code: text({ max: 3 }) });
    const strict = recordOf('company', { name: nullable(text()), code: text() });
    await database.open([loose], (store) => create(store, loose, { code: 'abc' }));
    const read = async (store: MainStore): Promise<void> =>
      expect((await listOf(store, strict)).data).toMatchObject([{ name: null, code: 'abc' }]);
    // The first start remembers that the rows keep the rules.
    await database.open([strict], read);
    const before = readFileSync(database.file);
    await database.open([strict], read);
    expect(readFileSync(database.file).equals(before)).toBe(true);
  });
});

describe('tables and columns that have left the spec stay in the database', () => {
  test('a column, with its data, for the time it comes back', async () => {
    using database = new Database();
    const smaller = recordOf('company', { name: text(), rate: optional(number()) });
    const before = await database.open([company], (store) =>
      create(store, company, { name: 'Acme', size: 7, active: false }),
    );
    const between = await database.open([smaller], async (store) => {
      const { size: _, active: __, ...kept } = before;
      expect(await listOf(store, smaller)).toEqual({ data: [kept], total: 1 });
      return create(store, smaller, { name: 'Between' });
    });
    expect(database.rows('select size, active from company order by id')).toEqual([
      { size: 7, active: 0 },
      { size: null, active: 1 },
    ]);
    await database.open([company], async (store) => {
      const returned = { ...between, size: null, active: true };
      expect(await listOf(store, company)).toEqual({ data: [returned, before], total: 2 });
    });
  });

  test('a table of every kind, with its data and its total', async () => {
    using database = new Database();
    const order = recordOf('order', { title: text() });
    const note = itemOf('note', 'order_id', {}, { table: 'order' });
    const options = singletonOf('options', { limit: optional(integer(), 5) });
    const all = [company, order, note, options];
    const before = await database.open(all, async (store) => {
      const one = await create(store, order, { title: 'one' });
      const two = await create(store, order, { title: 'two' });
      const item = await create(store, note, { order_id: two.id });
      const only = JSON.parse(await onlyJson(store, 'options')) as { id: string };
      await updateRecord(store, options, only.id, { limit: 9 });
      return { orders: [two, one], item, settings: await onlyJson(store, 'options') };
    });
    const rows = database.rows('select * from "order"');
    await database.open([company], (store) => create(store, company, { name: 'Acme' }));
    expect(database.rows('select * from "order"')).toEqual(rows);
    await database.open(all, async (store) => {
      expect(await listOf(store, order)).toEqual({ data: before.orders, total: 2 });
      const where = { order_id: String(before.orders[0]?.id) };
      expect(await listOf(store, note, { where })).toEqual({ data: [before.item], total: 1 });
      expect(await onlyJson(store, 'options')).toBe(before.settings);
      expect((await listOf(store, company)).total).toBe(1);
    });
  });
});

describe('a change that would lose data is refused, and nothing is changed', () => {
  const types = {
    text: () => optional(text()),
    bigint: () => optional(integer()),
    'double precision': () => optional(number()),
    boolean: () => optional(boolean()),
  };
  const changes = Object.keys(types).flatMap((from) =>
    Object.keys(types).flatMap((to) => (from === to ? [] : [[from, to] as [keyof typeof types, keyof typeof types]])),
  );

  test.each(changes)('a column that was %s and is to be %s', async (from, to) => {
    using database = new Database();
    const before = recordOf('company', { note: types[from]() });
    await database.open([before], (store) => create(store, before));
    const added = { fresh: optional(text(), 'new') };
    const after = [
      recordOf('other', {}),
      recordOf('company', { ...added, note: types[to](), later: optional(text()) }),
    ];
    const message = await database.refusal(after);
    for (const word of ['"company"', '"note"', ` ${from}`, ` ${to}`, 'new name']) {
      expect(message.toLowerCase()).toContain(word);
    }
    await database.open([before], async (store) => expect((await listOf(store, before)).total).toBe(1));
  });

  test('everything that is refused is named at once', async () => {
    using database = new Database();
    const make = (field: () => z.ZodType): Table[] =>
      ['company', 'person'].map((name) => recordOf(name, { first: field(), second: field() }));
    await database.sync(make(types.text));
    const message = await database.refusal(make(types.bigint));
    const lines = message.split('\n').filter((line) => line.includes('bigint'));
    expect(lines).toHaveLength(4);
    expect(new Set(lines).size).toBe(4);
  });

  const kinds = {
    record: recordOf('thing', { place: text(), idx: optional(integer()) }),
    'line-item': itemOf('thing', 'place', {}),
    singleton: singletonOf('thing', { place: initiallyNull(text()), idx: optional(integer()) }),
  };
  const turns = Object.keys(kinds).flatMap((from) =>
    Object.keys(kinds).flatMap((to) => (from === to ? [] : [[from, to] as [keyof typeof kinds, keyof typeof kinds]])),
  );

  test.each(turns)('a %s that is to be a %s', async (from, to) => {
    using database = new Database();
    const before = kinds[from];
    await database.open([before], async (store) => {
      if (from === 'singleton') return;
      for (const place of ['a', 'b']) await create(store, before, { place, idx: 1 });
    });
    const message = await database.refusal([recordOf('other', {}), kinds[to]]);
    expect(message).toContain('"thing"');
    expect(message).toContain('new name');
  });

  test('a renamed field that has another type as well', async () => {
    using database = new Database();
    await database.open([company], (store) => create(store, company, { name: 'Acme' }));
    const message = await database.refusal([recordOf('company', { title: renamed(optional(integer()), 'name') })]);
    expect(message).toContain('bigint');
    expect(message).toContain('company');
  });

  test('a database of a later format', async () => {
    using database = new Database();
    await database.sync([company]);
    database.byHand('pragma user_version = 2');
    const message = await database.refusal([company, recordOf('order', {})]);
    expect(message).toMatch(/format 2\b.*format 1\b/);
  });

  test("another program's database", async () => {
    using database = new Database();
    database.byHand('create table company (id text primary key); pragma application_id = 7');
    expect(await database.refusal([company])).toContain(database.file);
  });

  test("another service's database", async () => {
    using database = new Database();
    await database.sync([company]);
    await expect(openSqlite(database.file, [company], 'other')).rejects.toThrow(
      /another program: it does not belong to other/,
    );
    database.byHand(`pragma application_id = ${applicationId('other')}`);
    await (await openSqlite(database.file, [company], 'other')).close();
    expect(await database.refusal([company])).toContain('another program');
  });
});

describe('line items', () => {
  test('a parent in another field makes the index anew and keeps the column', async () => {
    using database = new Database();
    const before = itemOf('note', 'company_id', { text: text(), person_id: optional(text()) });
    const after = itemOf('note', 'person_id', { text: text(), company_id: optional(text()) });
    await database.open([before], async (store) => {
      await create(store, before, { company_id: 'c1', person_id: 'p1', text: 'one' });
      await create(store, before, { company_id: 'c2', person_id: 'p1', text: 'two' });
      await create(store, before, { company_id: 'c1', text: 'three' });
    });
    expect(database.indexColumns('note_by_parent')).toEqual(['_organization', 'company_id', 'idx', 'id']);
    await database.open([after], async (store) => {
      const { data, total } = await listOf(store, after, { where: { person_id: 'p1' } });
      expect(data.map((row) => [row['company_id'], row['text']])).toEqual([
        ['c1', 'one'],
        ['c2', 'two'],
      ]);
      expect(total).toBe(2);
    });
    expect(database.indexColumns('note_by_parent')).toEqual(['_organization', 'person_id', 'idx', 'id']);
    expect(database.rows('select company_id from note order by id')).toMatchObject([
      { company_id: 'c1' },
      { company_id: 'c2' },
      { company_id: 'c1' },
    ]);
    const plan = database.rows(
      `explain query plan select * from note where _organization = 1 and person_id is 'p1' order by idx, id`,
    );
    expect(plan).toMatchObject([{ detail: expect.stringContaining('note_by_parent') }]);
  });

  test('a parent that has moved into this service', async () => {
    using database = new Database();
    const before = itemOf('note', 'company_id', {});
    const after = itemOf('note', 'company_id', {}, { table: 'company' });
    await database.open([before], (store) => create(store, before, { company_id: 'elsewhere' }));
    await database.open([company, after], async (store) => {
      await expect(create(store, after, { company_id: 'elsewhere' })).rejects.toMatchObject({ code: 'parent_missing' });
      expect((await listOf(store, after, { where: { company_id: 'elsewhere' } })).total).toBe(1);
    });
  });
});

describe('declared renames', () => {
  test('a resource keeps its rows and its total, and newer ones come first', async () => {
    using database = new Database();
    const before = recordOf('zebra', { name: text() });
    const after = recordOf('ant', { name: text() }, { renamedFrom: ['zebra'] });
    const older = await database.open([before], async (store) => {
      const one = await create(store, before, { name: 'one' });
      return [await create(store, before, { name: 'two' }), one];
    });
    await database.open([after], async (store) => {
      expect(await listOf(store, after)).toEqual({ data: older, total: 2 });
      const made = await create(store, after, { name: 'three' });
      expect(made.id).toMatch(/^ant_/);
      expect(await listOf(store, after)).toEqual({ data: [made, ...older], total: 3 });
    });
    expect(database.columns('zebra')).toEqual([]);
  });

  test('a parent field keeps its index', async () => {
    using database = new Database();
    const before = itemOf('note', 'company_id', {});
    const after = lineItem(
      'note',
      z.strictObject({ id: id(), idx: position(), firm_id: renamed(text(), 'company_id') }),
      { parent: { field: 'firm_id' } },
    );
    const one = await database.open([before], (store) => create(store, before, { company_id: 'c1' }));
    await database.open([after], async (store) => {
      const { data } = await listOf(store, after, { where: { firm_id: 'c1' } });
      expect(data).toEqual([{ id: one.id, idx: 1, firm_id: 'c1' }]);
    });
    expect(database.indexColumns('note_by_parent')).toEqual(['_organization', 'firm_id', 'idx', 'id']);
  });
});

describe('with other SQLite tools', () => {
  test('values have the types of their columns', async () => {
    using database = new Database();
    await database.open([company], async (store) => {
      await create(store, company, { name: '12', size: -(2 ** 53 - 1), rate: 5, active: true });
      await create(store, company, { name: '', size: 0, rate: 0.1, active: false });
      await create(store, company, { name: 'null', active: null });
    });
    const columns = ['name', 'size', 'rate', 'active'].map((name) => `"${name}", typeof("${name}") as "${name} is"`);
    const rows = database.rows(`select ${columns.join(', ')} from company order by id`);
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['12', 'text', -(2 ** 53 - 1), 'integer', 5, 'real', 1, 'integer'],
      ['', 'text', 0, 'integer', 0.1, 'real', 0, 'integer'],
      ['null', 'text', null, 'null', null, 'null', null, 'null'],
    ]);
    expect(database.rows('select sum(rate) as sum, count(*) as count from company where active or size = 0')).toEqual([
      { sum: 5.1, count: 2 },
    ]);
  });

  test('rows that were stored by hand are served', async () => {
    using database = new Database();
    await database.sync([company]);
    const time = '2024-02-29T12:00:00.000Z';
    database.byHand(`
      insert into company values (1, 'company_1', 'Zoë "\n"', 12, 2.5, true, '${time}', '${time}', 1);
      insert into company (_organization, id, name, size, rate, created_at, updated_at)
        values (1, 'company_2', 7, '12', 3, '${time}', '${time}');`);
    const one = { id: 'company_1', name: 'Zoë "\n"', size: 12, rate: 2.5, active: true };
    const two = { id: 'company_2', name: '7', size: 12, rate: 3, active: true };
    const times = { created_at: time, updated_at: time };
    await database.open([company], async (store) => {
      expect(JSON.parse(String(await jsonOf(store, 'company', 'company_1')))).toEqual({ ...one, ...times });
      expect((await listOf(store, company)).data).toEqual([
        { ...two, ...times },
        { ...one, ...times },
      ]);
      const changed = JSON.parse(await updateRecord(store, company, 'company_2', { active: false })) as Row;
      expect(changed).toEqual({ ...two, active: false, created_at: time, updated_at: expect.any(String) });
    });
  });
});

test('several first starts at one moment make one database', async () => {
  using folder = new Folder();
  // In most rounds they are not in each other's way.
  const files = Array.from({ length: 15 }, (_, round) => folder.file(`${round}.db`));
  const ready = new Int32Array(new SharedArrayBuffer(4 * files.length));
  const workerData: Openings = { files, workers: 3, ready };
  const workers = Array.from(
    { length: workerData.workers },
    () => new Worker(new URL('./open-worker.ts', import.meta.url), { workerData }),
  );
  try {
    const found = await Promise.all(workers.map(async (worker) => (await once(worker, 'message'))[0] as string[]));
    for (const [round, settings] of found[0]?.entries() ?? []) {
      expect(settings, `round ${round}`).toMatch(/^\{"id":"options_/);
      expect(
        found.map((one) => one[round]),
        `round ${round}`,
      ).toEqual(found.map(() => settings));
    }
    expect(found[0]).toHaveLength(files.length);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
});

test('schema.sql makes the tables that the server makes', async () => {
  using folder = new Folder();
  using printed = new Database();
  await using server = serverCommand({
    env: { DATABASE_URL: `sqlite:${folder.file('records.db')}`, API_KEYS: testKey },
  });
  await server.url();
  expect(await server.stop()).toMatchObject({ code: 0 });
  printed.byHand(readFileSync(join(testProject, 'generated/schema.sql'), 'utf8'));
  const made = new DatabaseSync(folder.file('records.db'), { readOnly: true });
  try {
    for (const sql of [
      `select s.name, i.cid, i.name as column, i.type, i."notnull", i.dflt_value, i.pk
         from sqlite_schema s, pragma_table_info(s.name) i where s.type = 'table' order by s.name, i.cid`,
      `select s.name, s.tbl_name, l."unique", i.seqno, i.name as column
         from sqlite_schema s, pragma_index_list(s.tbl_name) l, pragma_index_info(s.name) i
         where s.type = 'index' and l.name = s.name order by s.name, i.seqno`,
      'select type, name, tbl_name from sqlite_schema order by type, name',
    ]) {
      const rows = printed.rows(sql);
      expect(rows.length).toBeGreaterThan(service.tables.length);
      // Each engine has indexes of words in its own form, which the file leaves out.
      const own = made.prepare(sql).all();
      expect(own.filter(({ name }) => !String(name).includes('.search'))).toEqual(rows);
    }
  } finally {
    made.close();
  }
});
