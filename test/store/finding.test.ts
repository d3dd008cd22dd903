import { beforeEach, expect, test } from 'vitest';

import type { Value } from '../../runtime/kernel/model/fields.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { searchedWords } from '../../runtime/features/search/words.ts';
import type { Operator } from '../../runtime/kernel/model/query.ts';
import type { Condition, Page, SortKey } from '../../runtime/kernel/records/page.ts';
import { Random } from '../support/random.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';
import { claim, company, insertOf, onEachEngine, type Stored, type Subject, task, ticket } from './contract.ts';
import { isFound } from './model.ts';

const texts = [
  '',
  'Open',
  'open',
  'Closed',
  'Ope',
  'Opened',
  'ä',
  'z',
  'Zoë',
  '\uffff',
  '🙂',
  '🙂🙂',
  '\u{10ffff}',
  'a,b\\c',
];
/** Texts of words that begin alike, in several scripts, with accents, punctuation and emoji; some without a word. */
const notes = [
  '',
  '…!?',
  '🙂',
  'Invoice 2024-11: überfällig',
  'INVOICES; Überweisung (straße)',
  'invoicing ÁÉÍ naïve co-operation',
  'ΌΔΟΣ σοφός Σίσυφος',
  'Ёлка, елка и ЁЖ',
  '日本語の 日本 東京都',
  'हिन्दी भाषा १२३',
  'العَرَبِيَّة ٣٤',
  'ﬁne ﬃx Ⅳ ½ ① ²',
  'İstanbul ISTANBUL ıstanbul',
  'it\'s O\'Neil\\"AND" OR NOT NEAR(a b) col:x * ^y',
  "a'b & c | !d <-> e:*",
  '1 12 123 1·2 2·1',
  'x'.repeat(199) + ' ' + 'y'.repeat(200) + ' ' + 'z'.repeat(300),
  '𝒳𝒴 𐐷𐐨 𠜎𠜱',
  '한국어 한국',
  'a\u0301b ab áb A\u030a',
  'under_score tab\tnew\nline\u00a0nbsp\u200bzero',
  Array.from({ length: 300 }, (_, n) => `word${n}`).join(' '),
];

const numbers = [0, 1, -1, 2, 10, 9_007_199_254_740_991, -9_007_199_254_740_991];
const amounts = [0, 0.5, -0.5, 1e-300, 1e300, 10, 2.25];

const valuesOf: Readonly<Record<string, readonly Value[]>> = {
  subject: texts,
  notes,
  status: texts.slice(0, 4),
  number: numbers,
  amount: amounts,
  open: [true, false],
};

const operators: readonly Exclude<Operator, 'has'>[] = ['eq', 'ne', 'in', 'null', 'gt', 'gte', 'lt', 'lte', 'prefix'];

/** -1, 0 or 1; texts by code points. */
function compare(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}

/** Whether a record meets a condition, as the interface says. */
function meets(row: Stored, { column, operator, values }: Condition): boolean {
  if (operator === 'has') throw new Error('No table of these tests has a list.');
  const value = row[column] as Value;
  const [given = null] = values;
  if (operator === 'null') return (value === null) === given;
  if (value === null) return false;
  switch (operator) {
    case 'in':
      return values.includes(value);
    case 'prefix':
      return String(value).startsWith(String(given));
    default: {
      const order = compare(value, given);
      return { eq: order === 0, ne: order !== 0, gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[
        operator
      ];
    }
  }
}

/** The order of records by `sort`; `places` are those of the list without. */
function inOrder(rows: readonly Stored[], sort: readonly SortKey[], places: ReadonlyMap<string, number>): Stored[] {
  const placeOf = ({ id }: Stored): number => places.get(id) as number;
  return rows.toSorted((a, b) => {
    for (const { column, isDescending } of sort) {
      if (column === 'id' || column === 'created_at') {
        // The order of creation, whatever the resource was called.
        return compare(a.id.slice(-26), b.id.slice(-26)) * (isDescending ? -1 : 1);
      }
      const [one, other] = [a[column] as Value, b[column] as Value];
      if (one === null && other === null) continue;
      if (one === null || other === null) return one === null ? 1 : -1;
      const order = compare(one, other);
      if (order !== 0) return isDescending ? -order : order;
    }
    return placeOf(a) - placeOf(b);
  });
}

/** Random filters and sorts of a table. */
class Choice {
  readonly #random: Random;
  readonly #rows: readonly Stored[];
  readonly #table: Table;

  constructor(random: Random, table: Table, rows: readonly Stored[]) {
    this.#random = random;
    this.#table = table;
    this.#rows = rows;
  }

  condition(): Condition {
    const random = this.#random;
    const column = random.of([...this.#table.list.filter, 'id', ...(this.#table.parent ? [] : ['created_at'])]);
    // A time within a millisecond follows its beginning.
    const behind = column === 'created_at' ? ['', '5'] : [''];
    const values = valuesOf[column] ?? this.#rows.map((row) => String(row[column]) + random.of(behind));
    const isText = typeof values[0] === 'string';
    const fitting = operators.filter((operator) => {
      if (column === 'id' || column === 'created_at') return operator !== 'null' && operator !== 'prefix';
      return isText || operator !== 'prefix';
    });
    const operator = random.of(fitting);
    if (operator === 'null') return { column, operator, values: [random.chance(0.5)] };
    if (operator === 'in') return { column, operator, values: [1, 2, 3].map(() => random.of(values)) };
    const value = random.of(values);
    return { column, operator, values: [operator === 'prefix' ? [...String(value)].slice(0, 2).join('') : value] };
  }

  /** Words of the texts of all rows, or beginnings of them. */
  search(): string[] {
    const all = this.#rows.flatMap((row) =>
      this.#table.list.search.flatMap((field) => searchedWords(String(row[field] ?? '')).flat()),
    );
    return Array.from({ length: 1 + this.#random.below(3) }, () => {
      const word = this.#random.chance(0.9) ? this.#random.of(all) : this.#random.of(['1', 'absent', 'z'.repeat(201)]);
      return this.#random.chance(0.3) ? word : [...word].slice(0, 1 + this.#random.below(3)).join('');
    });
  }

  order(): SortKey[] {
    const columns = [...this.#table.list.sort, 'id', ...(this.#table.parent ? [] : ['created_at'])];
    const chosen = new Set(Array.from({ length: 1 + this.#random.below(3) }, () => this.#random.of(columns)));
    return [...chosen].map((column) => ({ column, isDescending: this.#random.chance(0.5) }));
  }

  page(count: number): Pick<Page, 'limit' | 'offset'> {
    return { limit: 1 + this.#random.below(12), offset: this.#random.chance(0.5) ? 0 : this.#random.below(count + 3) };
  }
}

beforeEach(repeatable);

onEachEngine((subject, engine) => {
  for (const table of [ticket, claim, task]) {
    test(`random lists of ${table.name} are those that JavaScript makes of the same records`, async () => {
      const random = new Random(seed);
      const { where, all } = await fill(subject, table, random);
      const places = new Map(all.map(({ id }, place) => [id, place]));
      const choice = new Choice(random, table, all);
      let found = 0;
      for (let n = 0; n < rounds(50, 120, 600); n++) {
        const filter = Array.from({ length: random.below(4) }, () => choice.condition());
        const sort = random.chance(0.6) ? choice.order() : [];
        const search = random.chance(0.4) ? choice.search() : [];
        const matching = inOrder(
          all.filter((row) => filter.every((one) => meets(row, one)) && isFound(table, row, search)),
          sort,
          places,
        );
        found += matching.length;
        const asked = {
          ...where,
          ...(filter.length > 0 && { filter }),
          ...(sort.length > 0 && { sort }),
          ...(search.length > 0 && { search }),
        };
        const what = JSON.stringify(asked);
        const { limit, offset } = choice.page(matching.length);
        const page = await subject.page(table, { ...asked, limit, offset });
        expect(
          page?.items.map(({ id }) => id),
          what,
        ).toEqual(matching.slice(offset, offset + limit).map(({ id }) => id));
        expect(page, what).toMatchObject({ total: matching.length, hasMore: offset + limit < matching.length });

        // Behind any record, whether it is in the list or not.
        const after = random.of(all);
        const behind = inOrder([...matching.filter((row) => row !== after), after], sort, places);
        const rest = behind.slice(behind.indexOf(after) + 1);
        const next = await subject.page(table, { ...asked, limit, after: after.id });
        expect(
          next?.items.map(({ id }) => id),
          `${what} after ${after.id}`,
        ).toEqual(rest.slice(0, limit).map(({ id }) => id));
        expect(next, what).toMatchObject({ total: matching.length, hasMore: rest.length > limit });
      }
      expect(found).toBeGreaterThan(100);
    });
  }

  test('behind a record that is gone a sorted list does not go on', async () => {
    const [one, two] = [await subject.insert(ticket, { number: 1 }), await subject.insert(ticket, { number: 2 })];
    const sort = [{ column: 'number', isDescending: false }];
    expect((await subject.page(ticket, { sort, after: one.id }))?.items).toEqual([two]);
    await subject.store.write({ op: 'delete', table: 'ticket', id: one.id, time: '' });
    expect(await subject.page(ticket, { sort, after: one.id })).toBeUndefined();
    expect((await subject.page(ticket, { after: one.id }))?.items).toEqual([]);
    // In the order of creation, the id is the place.
    for (const column of ['id', 'created_at']) {
      const byCreation = (isDescending: boolean): Partial<Page> => ({
        sort: [{ column, isDescending }],
        after: one.id,
      });
      expect((await subject.page(ticket, byCreation(false)))?.items).toEqual([two]);
      expect((await subject.page(ticket, byCreation(true)))?.items).toEqual([]);
    }
  });

  test('a search finds what a record holds now, whichever store has written it', async () => {
    const find = async (...search: string[]): Promise<unknown> => {
      const page = await subject.page(ticket, { search });
      expect(page?.total).toBe(page?.items.length);
      return page?.items.map(({ number }) => number);
    };
    const other = await subject.another();
    const one = await subject.insert(ticket, { number: 1, subject: 'Früh', notes: 'am Morgen' });
    await subject.written(insertOf(ticket, { number: 2, subject: 'Frühling' }), other);
    expect(await find('fruh')).toEqual([2, 1]);
    expect(await find('fruh', 'morg')).toEqual([1]);
    const about = {
      op: 'update',
      table: 'ticket',
      id: one.id,
      expected: {},
      time: '2999-01-01T00:00:00.000Z',
    } as const;
    await other.write({ ...about, set: { subject: 'Spät' } });
    expect(await find('fruh')).toEqual([2]);
    expect(await find('morg', 'spat')).toEqual([1]);
    await subject.store.write({ ...about, set: { notes: null, number: 3 } });
    expect(await find('morg')).toEqual([]);
    expect(await find('spat')).toEqual([3]);
    await subject.store.write({ ...about, set: { subject: null }, expected: { number: 1 } });
    expect(await find('spat')).toEqual([3]);
    await other.write({ op: 'delete', table: 'ticket', id: one.id, time: '' });
    expect(await find('spat')).toEqual([]);
  });

  test('a search of words that many records have goes through the list in its order', async () => {
    const count = 21_000;
    const text = `'1·all·subject 1·n' || value || '·subject'`;
    const words = engine.name === 'SQLite' ? `json_object('subject', ${text})` : `cast(${text} as tsvector)`;
    await subject.database.execute(
      `insert into "ticket" ("_organization", "id", "number", "created_at", "updated_at", "_search")
       with recursive _n(value) as (select 1 union all select value + 1 from _n where value < ${count})
       select 1, 'ticket_' || (100000 + value), value % 10, 't', 't', ${words} from _n`,
    );
    await subject.database.execute(
      `update "_row_counter" set "count" = ${count} where "table" = 'ticket' and "shard" = 0`,
    );
    const numbersOf = async (page: Partial<Page>): Promise<unknown> => {
      const found = await subject.page(ticket, { limit: 2, ...page });
      return [found?.total, ...(found?.items.map(({ id }) => Number(id.slice(-5))) ?? [])];
    };
    const filter: Condition[] = [{ column: 'number', operator: 'eq', values: [3] }];
    const sort = [{ column: 'number', isDescending: true }];
    expect(await numbersOf({ search: ['a'] })).toEqual([count, 21_000, 20_999]);
    expect(await numbersOf({ search: ['a'], offset: 20_998 })).toEqual([count, 2, 1]);
    expect(await numbersOf({ search: ['a'], filter })).toEqual([2_100, 20_993, 20_983]);
    const common: Condition[] = [{ column: 'number', operator: 'gte', values: [0] }];
    expect(await numbersOf({ search: ['a'], filter: common })).toEqual([count, 21_000, 20_999]);
    expect(await numbersOf({ search: ['n1'], filter: common })).toEqual([11_111, 19_999, 19_998]);
    expect(await numbersOf({ search: ['a'], sort })).toEqual([count, 20_999, 20_989]);
    expect(await numbersOf({ search: ['all', 'n20999'], sort, filter: [] })).toEqual([1, 20_999]);
  });

  test('the total of a filtered list is exact after each write', async () => {
    const filter: Condition[] = [{ column: 'status', operator: 'eq', values: ['Open'] }];
    const total = async (): Promise<number | undefined> => (await subject.page(ticket, { filter, limit: 1 }))?.total;
    const other = await subject.another();
    for (let n = 1; n <= 5; n++) {
      const write = insertOf(ticket, { status: 'Open' });
      await (n % 2 === 0 ? other : subject.store).write(write);
      expect(await total()).toBe(n);
      expect(await total()).toBe(n);
    }
  });

  test('a total that many ask for at one moment is exact after a write', async () => {
    const totals = async (): Promise<unknown[]> => {
      const pages = Array.from({ length: 16 }, (_, n) => subject.page(ticket, { search: ['open'], limit: n + 1 }));
      return (await Promise.all(pages)).map((page) => page?.total);
    };
    for (let n = 1; n <= 3; n++) {
      await subject.store.write(insertOf(ticket, { subject: 'Open' }));
      expect(await totals()).toEqual(Array(16).fill(n));
    }
  });
});

/** Stores records with few different values. @returns them in the order of their list */
async function fill(
  subject: Subject,
  table: Table,
  random: Random,
): Promise<{ where: Pick<Page, 'where'>; all: readonly Stored[] }> {
  const parents = table.parent ? [await subject.insert(company), await subject.insert(company)] : [];
  const field = table.parent?.field;
  for (let n = 0; n < 120; n++) {
    const fields = Object.fromEntries(
      [...table.list.filter, ...table.list.search].map((name) => [
        name,
        random.chance(0.2) ? null : random.of(valuesOf[name] as Value[]),
      ]),
    );
    const parent = field !== undefined && { [field]: (parents[Number(random.chance(0.2))] as Stored).id };
    await subject.insert(table, { ...fields, ...parent, ...(parent && { idx: random.below(5) }) });
  }
  const where = field === undefined ? {} : { where: { [field]: (parents[0] as Stored).id } };
  const page = await subject.page(table, where);
  return { where, all: page?.items ?? [] };
}
