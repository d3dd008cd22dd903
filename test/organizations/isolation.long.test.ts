import { beforeEach, expect, test } from 'vitest';

import type { Table } from '../../runtime/kernel/model/table.ts';
import type { Records } from '../../runtime/kernel/records/store.ts';
import { areLong, type Page } from '../../runtime/kernel/records/page.ts';
import {
  type Effect,
  type SingleResult,
  type SingleWrite,
  unknownOrigin,
  type Write,
  type WriteResult,
} from '../../runtime/kernel/records/write.ts';
import { readAnswer } from '../../runtime/features/idempotency/answers.ts';
import { eventPages } from '../../runtime/features/trail/events.ts';
import { Choice, used } from '../store/choice.ts';
import {
  company,
  options,
  parsed,
  part,
  slot,
  type Stored,
  tableNamed,
  tables,
  type Whole,
  wide,
} from '../store/contract.ts';
import { Model, type ModelResult } from '../store/model.ts';
import {
  describeEngine,
  engines,
  expectExactTotals,
  type Row,
  type TestDatabase,
  textOf,
  itemsOf,
} from '../support/databases.ts';
import type { MainStore } from '../support/main-store.ts';
import { Random } from '../support/random.ts';
import { longRounds, repeatable, seed } from '../support/seed.ts';
import { organizationOf } from './administer.ts';

const seeds = Array.from({ length: longRounds(1, 5) }, (_, n) => seed + n);
const steps = longRounds(200, 400);
const races = longRounds(60, 400);

/** One of the organizations of a database, and what it should have. */
interface Member {
  readonly name: string;
  readonly organization: number;
  readonly records: Records;
  readonly model: Model;
}

/** The key of a request that each of them has sent. */
const once = { owner: 'key', key: 'same', digest: '', ids: [] };

async function memberOf(database: TestDatabase, store: MainStore, name: string): Promise<Member> {
  const organization = await organizationOf(database, tables, name);
  const records = store.of(organization);
  const model = new Model();
  model.adopt(options, parsed(options, String((await records.only('options')).json)));
  const { id } = model.rows(options)[0] as Stored;
  const first: Write = { op: 'update', table: options.name, id, set: { label: name }, expected: {}, time: '' };
  await records.write(first, { ...unknownOrigin(), once: { ...once, digest: name } });
  model.write(first);
  return { name, organization, records, model };
}

/** All that the database has of an organization, byte for byte. */
const rowsOf = ({ queryAll }: TestDatabase, { organization }: Member): Promise<readonly Row[][]> =>
  queryAll([
    ...tables.map(({ name }) => `select * from "${name}" where "_organization" = ${organization} order by "id"`),
    `select * from "_row_counter" where "_organization" = ${organization} order by 2, 3, 4`,
    `select "changes", "version" from "_event" where "_organization" = ${organization} order by 1, 2`,
    `select * from "_answer" where "_organization" = ${organization}`,
  ]);

async function pageOf({ records }: Member, table: Table, page: Page): Promise<Whole | undefined> {
  const listing = await records.list(table.name, page);
  if (!listing) return undefined;
  const { total, hasMore, items } = listing;
  const rows = (JSON.parse(`[${await textOf(items)}]`) as Stored[]).map((row) => parsed(table, JSON.stringify(row)));
  return { total, hasMore, items: rows };
}

async function write({ records }: Member, one: SingleWrite, isBatch = false): Promise<ModelResult> {
  const result = isBatch ? await writeAsBatch(records, one) : ((await records.write(one)) as SingleResult);
  return result.outcome === 'written'
    ? { outcome: 'written', row: parsed(tableNamed(one.table), result.json) }
    : result;
}

/** The result of a write that is the only one of a batch. */
async function writeAsBatch(records: Records, one: SingleWrite): Promise<SingleResult> {
  const result = await records.write({ op: 'batch', table: one.table, writes: [one], isTrial: false });
  if (result.outcome === 'refused') return result.reason as SingleResult;
  expect(result).toMatchObject({ outcome: 'done', results: [{}] });
  const [effect] = (result as Extract<WriteResult, { outcome: 'done' }>).results as [Effect];
  return effect.outcome === 'reordered' ? { outcome: 'reordered', parent: effect.parent } : effect;
}

/** Compares each way of reading with the records that a member should see. A new way does not compile without a row. */
const reads: {
  readonly [Read in Exclude<keyof Records, 'write' | 'tables'>]: (member: Member, choice: Choice) => Promise<void>;
} = {
  async get({ records, model }, choice) {
    const table = choice.table();
    const id = choice.id(table);
    const row = model.rows(table).find((one) => one.id === id);
    // The second time it may come from a cache.
    for (let time = 0; time < 3; time++) {
      const json = (await records.get(table.name, id))?.json;
      expect(json === undefined ? undefined : parsed(table, String(json))).toEqual(row);
    }
  },
  async show({ records, model }, choice) {
    const table = choice.table();
    const id = choice.id(table);
    const row = model.rows(table).find((one) => one.id === id);
    const view = choice.view(table);
    const json = await textOf((await records.show(table.name, [id], view)) ?? '');
    const shown = json === '' ? undefined : (JSON.parse(json) as Stored);
    expect(shown, JSON.stringify({ table: table.name, id, view })).toEqual(row && model.shown(table, row, view));
  },
  async only({ records, model }) {
    expect(parsed(options, String((await records.only('options')).json))).toEqual(model.rows(options)[0]);
  },
  async list(member, choice) {
    const table = choice.table();
    if (table.kind === 'singleton') return;
    const page = choice.page(table);
    expect(await pageOf(member, table, page), JSON.stringify({ table: table.name, page })).toEqual(
      member.model.list(table, page),
    );
  },
  async newest({ records, model }, choice) {
    const table = choice.table();
    const names = [table.name, ...(table.renamedFrom ?? [])];
    const expected = names.flatMap((name) => {
      const ids = model.rows(table).map(({ id }) => id);
      return (
        ids
          .filter((id) => id.startsWith(`${name}_`))
          .toSorted()
          .at(-1) ?? []
      );
    });
    expect(await records.newest(table.name)).toEqual(expected);
  },
  async ask({ name, records, model }) {
    const { events } = await records.ask(eventPages, { limit: 1000 });
    const all = events.map((json) => JSON.parse(json) as { number: number; record: string });
    expect(all.map(({ number }) => number)).toEqual(all.map((_, n) => n + 1));
    // It has made all that it has now.
    const made = new Set(all.map(({ record }) => record));
    const rows = used.filter(({ kind }) => kind !== 'singleton').flatMap((table) => model.rows(table));
    expect(rows.filter(({ id }) => !made.has(id))).toEqual([]);
    expect(await readAnswer(records, once, new Date().toISOString())).toMatchObject({ digest: name });
  },
};

/** The writes that there are: a new one does not compile until the choices have it, too. */
const writes: Readonly<Record<Write['op'], true>> = {
  insert: true,
  update: true,
  transition: true,
  delete: true,
  reorder: true,
  batch: true,
};

beforeEach(repeatable);

for (const engine of engines) {
  describeEngine(engine, 'two organizations with the same ids and parents', () => {
    test.each(seeds)('what one does leaves the rows of the other as they are (seed %i)', async (ownSeed) => {
      await using database = await engine.create(tables);
      await using store = await database.open(tables);
      const random = new Random(ownSeed);
      const members = [await memberOf(database, store, 'a'), await memberOf(database, store, 'b')] as const;
      const done = new Set<string>();
      const expected = new Set([
        ...Object.keys(writes),
        "update of another's: not_found",
        "delete of another's: not_found",
        'parent_missing',
      ]);
      // Some seeds take more steps until all of it was done.
      for (let step = 0; step < steps || (step < 5 * steps && !done.isSupersetOf(expected)); step++) {
        const [own, other] = random.chance(0.5) ? members : ([members[1], members[0]] as const);
        const choice = new Choice(random, own.model, other.model);
        const before = await rowsOf(database, other);
        const one = choice.write();
        const about = JSON.stringify({ step, organization: own.organization, one });
        const isOthers = 'id' in one && other.model.rows(tableNamed(one.table)).some(({ id }) => id === one.id);
        const isBatch = random.chance(0.3);
        const result = await write(own, one, isBatch);
        expect(result, about).toEqual(own.model.write(one));
        expect(await rowsOf(database, other), about).toEqual(before);
        done.add(one.op);
        if (isBatch) done.add('batch');
        if (isOthers) done.add(`${one.op} of another's: ${result.outcome}`);
        if (result.outcome === 'parent_missing') done.add(result.outcome);
        for (const read of Object.values(reads)) await read(own, choice);
        await reads.get(other, choice);
      }
      expect([...expected.difference(done)]).toEqual([]);
      await expectExactTotals(database, tables);
    });

    // Racing writes of one server share a transaction, and those of several do not.
    const servers = [1, 2].flatMap((count) => seeds.map((one) => [count, one] as const));
    test.each(servers)('races on %i servers leave each what its own writes made (seed %i)', async (count, ownSeed) => {
      await using database = await engine.create(tables);
      const first = await database.open(tables);
      const stores = [first, count === 1 ? first : await database.open(tables)] as const;
      const random = new Random(ownSeed);
      const a = await memberOf(database, stores[0], 'a');
      const b = await memberOf(database, stores[1], 'b');
      for (let race = 0; race < races; race++) {
        const one = new Choice(random, a.model, b.model).write();
        const isStored = one.op === 'insert' && b.model.ids.has(String(one.values[0]));
        // Mostly the very same write.
        const other = random.chance(0.7) && !isStored ? one : new Choice(random, b.model, a.model).write();
        const results = await Promise.all([write(a, one), write(b, other)]);
        expect(results, JSON.stringify({ race, one, other })).toEqual([a.model.write(one), b.model.write(other)]);
      }
      for (const member of [a, b]) {
        for (const table of used) {
          if (table.kind !== 'record') continue;
          const page = { limit: 1000, offset: 0 };
          expect(await pageOf(member, table, page)).toEqual(member.model.list(table, page));
        }
      }
      await expectExactTotals(database, tables);
      for (const store of new Set(stores)) await store.close();
    });

    test('deep offsets, cursors and totals of long lists are those of one', async () => {
      await using database = await engine.create(tables);
      await using store = await database.open(tables);
      const members = [await memberOf(database, store, 'a'), await memberOf(database, store, 'b')] as const;
      const time = '2026-01-01T00:00:00.000Z';
      const numbers = (count: number): string =>
        `with recursive _n (n) as (select 100000 union all select n + 1 from _n where n < 100000 + ${count - 1})`;
      // The same ids, but one has more of them: twice as many as a page may skip before it takes another way.
      const counts = [21_000, 23_000];
      for (const [index, { organization }] of members.entries()) {
        await database.execute(`${numbers(counts[index] ?? 0)}
          insert into company ("_organization", id, name, created_at, updated_at)
          select ${organization}, 'company_' || n, 'of ${organization}', '${time}', '${time}' from _n`);
        await database.execute(`${numbers(counts[index] ?? 0)}
          insert into part ("_organization", id, idx, machine_id) select ${organization}, 'part_' || n, n - index_of, 'm'
          from _n, (select 99999 + ${organization} as index_of) as _index`);
        await database.execute(`delete from _row_counter where "_organization" = ${organization};
          insert into _row_counter values (${organization}, 'company', '', 0, ${counts[index]}),
          (${organization}, 'part', 'm', 0, ${counts[index]})`);
      }
      for (const [index, member] of members.entries()) {
        const total = counts[index] ?? 0;
        const newest = (rank: number): string => `company_${99_999 + total - rank}`;
        const oldest = (rank: number): string => `part_${100_000 + rank}`;
        for (const offset of [0, 5, 1_500, 10_500, total - 2, total, total + 5]) {
          for (const [table, idOf] of [
            [company, newest],
            [part, oldest],
          ] as const) {
            const where = table === part ? { where: { machine_id: 'm' } } : {};
            const page = await pageOf(member, table, { limit: 3, offset, ...where });
            const ids = [0, 1, 2].filter((n) => offset + n < total).map((n) => idOf(offset + n));
            expect([page?.total, page?.items.map(({ id }) => id)]).toEqual([total, ids]);
            const names = new Set(page?.items.map((item) => item['name'] ?? item['idx']));
            if (table === company) expect([...names]).toEqual(ids.length > 0 ? [`of ${member.organization}`] : []);
            else expect([...names][0]).toBe(ids.length > 0 ? offset + 1 - member.organization : undefined);
          }
        }
        // A cursor that only one of them has: for the other, a place in the order of ids, and no line item.
        const after = `company_${100_000 + 22_000}`;
        const behind = await pageOf(member, company, { limit: 2, offset: 0, after });
        expect(behind?.items[0]?.id).toBe(index === 0 ? newest(0) : 'company_121999');
        const items = await pageOf(member, part, {
          limit: 2,
          offset: 0,
          after: 'part_122000',
          where: { machine_id: 'm' },
        });
        expect(items?.items[0]?.id).toBe(index === 0 ? undefined : 'part_122001');
      }
    });

    test('a streamed page has the records of one, also those that come later', async () => {
      await using database = await engine.create(tables);
      await using store = await database.open(tables);
      const members = [await memberOf(database, store, 'a'), await memberOf(database, store, 'b')] as const;
      const ids = Array.from({ length: 40 }, (_, n) => `company_${n + 10}`);
      const time = '2026-01-01T00:00:00.000Z';
      for (const { organization, records } of members) {
        for (const id of ids) {
          const row: Record<string, string> = {
            id,
            name: `${organization}`.repeat(60_000),
            created_at: time,
            updated_at: time,
          };
          const values = company.columns.map(({ name }) => row[name] ?? null);
          expect(await records.write({ op: 'insert', table: 'company', values })).toMatchObject({ outcome: 'written' });
        }
      }
      for (const { records, organization } of [...members, ...members]) {
        const listing = await records.list('company', { limit: 100, offset: 0 });
        const { items = '' } = listing ?? {};
        expect(areLong(items)).toBe(true);
        const rows = JSON.parse(`[${await textOf(itemsOf(records, 'company', { items }))}]`) as Stored[];
        expect(rows.map(({ id }) => id)).toEqual(ids.toReversed());
        for (const { name } of rows) expect(new Set(String(name))).toEqual(new Set([String(organization)]));
      }
    });

    test('a table of each kind is among those that are tried', () => {
      expect(new Set([...used, wide])).toEqual(new Set(tables));
      expect(new Set(used.map(({ kind }) => kind))).toEqual(new Set(['record', 'line-item', 'singleton']));
      expect(slot.parent?.table).toBe(options.name);
    });
  });
}
