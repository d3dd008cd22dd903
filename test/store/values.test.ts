import { describe, expect, test } from 'vitest';

import type { Value } from '../../runtime/kernel/model/fields.ts';
import { maxPageBytes } from '../../runtime/kernel/records/limits.ts';
import { areLong, type ItemStream } from '../../runtime/kernel/records/page.ts';
import type { Write } from '../../runtime/kernel/records/write.ts';
import { company, type Fields, insertOf, office, onEachEngine, part, type Stored, storedBy, wide } from './contract.ts';
import { itemsOf } from '../support/databases.ts';
import { isLong } from '../support/seed.ts';

const texts: Readonly<Record<string, string>> = {
  'that is empty': '',
  'of blanks': ' \t\n\v\f\r\u00a0\u2000\u3000 ',
  'that JSON escapes': '"\\/\b\f\n\r\t\u0001\u001f\u007f\u0080\u009f',
  'that looks escaped': String.raw`\u0000 \n \\ \" \x00 %00 &#0; \N'`,
  'of line ends that are none in JSON': '\u2028\u2029\u0085',
  'of characters that are none': '\ufffe\uffff\ufdd0\u{1ffff}\u{10ffff}\ufeff\ufffd',
  'beyond the first plane': '🙂👩‍👩‍👧𝒜\u{10000}\u{10fffd}',
  'composed in two ways': 'é e\u0301 ﬁ fi Ω Ω İ ı ß ẞ',
  'from right to left': '\u202eשלום\u202c \u200fعربي',
  'of SQL': `'; drop table "company"; -- $1 ? :a @b %s \${x} /* ' || '`,
  'of JSON': '{"id":null,"__proto__":{"a":1}}',
  'of a prototype': '__proto__',
  'of a constructor': 'constructor',
  'of a word': 'null',
  'of a truth': 'true',
  'of a number': '007.50e1',
  'of a great number': '9'.repeat(400),
  'of a date': '2024-02-30T25:61:61.000Z',
  'with each of the first 3,000 characters': String.fromCodePoint(...Array.from({ length: 3_000 }, (_, n) => n + 1)),
  'of 65,536 characters of one byte': 'x'.repeat(65_536),
  'of 65,536 characters of four bytes': '🙂'.repeat(65_536),
  'of 65,536 quotes': '"'.repeat(65_536),
  'of 10,485,760 characters': 'é'.repeat(10_485_760),
};

// Nothing in it repeats, so that it cannot be stored in a few bytes.
const unrepeated = (length: number): string =>
  Array.from({ length }, (_, n) => String.fromCodePoint(0x4e00 + ((n * n * 7_919) % 20_000))).join('');
const longParents = [499, 500, 501, 65_535].map(
  (length) => [`of ${length} characters of three bytes`, unrepeated(length)] as const,
);

const doubles = [
  5e-324,
  -5e-324,
  2.2250738585072014e-308,
  2.225073858507201e-308,
  1.7976931348623157e308,
  -1.7976931348623157e308,
  0.1,
  0.1 + 0.2,
  1 / 3,
  1e21,
  1e23,
  123456789012345680000,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  -(2 ** 63),
  2 ** 64,
  1e-7,
  100,
  0,
];

const integers = [0, 1, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

onEachEngine((subject, engine) => {
  /** Sends a value in by an insert, and by an update of another record, and gets it back in every way there is. */
  async function expectKept(name: string, value: Value): Promise<void> {
    const same = (row: Stored | undefined): void => {
      // Not by `toEqual`, which takes minutes to show how long texts differ.
      if (row?.[name] !== value) throw new Error(`${name}: ${String(row?.[name]).slice(0, 200)}`);
    };
    const inserted = await subject.insert(company, { [name]: value });
    same(inserted);
    same(await subject.get(company, inserted.id));
    for (const row of await subject.items(company)) same(row);
    // The longest would take seconds.
    if (typeof value === 'string' && value.length > 100_000) return;
    const { id } = await subject.insert(company, { [name]: null });
    const change: Write & { op: 'update' } = {
      op: 'update',
      table: 'company',
      id,
      set: { [name]: value },
      expected: {},
      time: '2999-01-01T00:00:00.000Z',
    };
    same(await subject.written(change));
    for (const row of await subject.items(company)) same(row);
    const repeated: Write = { ...change, set: {}, expected: { [name]: value } };
    same(await subject.written(repeated));
    const again = await subject.written({ ...change, time: '2999-01-02T00:00:00.000Z' });
    expect(again['updated_at']).toBe(change.time);
  }

  test.each(Object.entries(texts))('a text %s', (_, value) => expectKept('name', value));

  test.each(doubles)('the number %d', (value) => expectKept('default', value));

  test('the number -0, with its sign where the engine keeps it', async () => {
    const { id } = await subject.insert(company, { default: -0 });
    const kept = (await subject.get(company, id))?.['default'];
    expect(Object.is(kept, engine.name === 'SQLite' ? 0 : -0)).toBe(true);
  });

  test.each(integers)('the integer %d', async (value) => {
    await expectKept('order', value);
    const item = await subject.insert(part, { machine_id: 'm', idx: value });
    expect(await subject.items(part, { machine_id: 'm' })).toEqual([item]);
    expect(item['idx']).toBe(value);
  });

  const parents = [...Object.entries(texts), ...longParents].filter(([, { length }]) => length <= 65_536);
  test.each(parents)('a parent whose id is a text %s', async (_, machine) => {
    const parent = { machine_id: machine };
    const other = await subject.insert(part, { machine_id: `${machine}.` });
    const all = [await subject.insert(part, parent), await subject.insert(part, parent)] as const;
    expect(await subject.page(part, { where: parent })).toEqual({ total: 2, hasMore: false, items: all });
    const items = all.map(({ id }, n) => ({ id, idx: 5 - n }));
    expect(await subject.store.write({ op: 'reorder', table: 'part', items })).toEqual({
      outcome: 'reordered',
      parent,
    });
    await subject.expectExactTotals();
    await subject.store.write({ op: 'delete', table: 'part', id: all[0].id, time: '' });
    expect((await subject.page(part, { where: parent }))?.total).toBe(1);
    expect(await subject.items(part, { machine_id: `${machine}.` })).toEqual([other]);
  });

  test('a record of a hundred and thirty fields, changed in all of them', async () => {
    const fields = (seed: number): Fields =>
      Object.fromEntries(
        wide.columns
          .filter(({ readOnly }) => !readOnly)
          .map(({ name, type }, n): [string, Value] => {
            if (type === 'text') return [name, `${name} ${seed}`];
            if (type === 'boolean') return [name, (n + seed) % 2 === 0];
            return [name, type === 'bigint' ? n * 1_000 + seed : (n + seed) / 7];
          }),
      );
    const one = await subject.insert(wide, fields(1));
    expect(one).toMatchObject(fields(1));
    const time = '2999-01-01T00:00:00.000Z';
    const change: Write = { op: 'update', table: 'wide', id: one.id, set: fields(2), expected: fields(1), time };
    expect(await subject.written(change)).toEqual({ ...one, ...fields(2), updated_at: time });
    const empty = await subject.insert(wide);
    expect(await subject.items(wide)).toEqual([empty, await subject.get(wide, one.id)]);
  });

  // A request line can name any text.
  test.each(
    ['', '\0', 'company_\0', ' ', "'", '%', '\ufffd', '🙂', 'x'.repeat(8_000)].map(
      (id) => [id.slice(0, 20), id] as const,
    ),
  )('the id %j, which nothing has', async (_, id) => {
    const one = await subject.insert(company);
    const item = await subject.insert(office, { company_id: one.id });
    const missing = { outcome: 'not_found', id };
    const time = one['created_at'] as string;
    expect(await subject.get(company, id)).toBeUndefined();
    const writes: Write[] = [
      { op: 'update', table: 'company', id, set: { name: 'x' }, expected: {}, time },
      { op: 'update', table: 'company', id, set: {}, expected: {}, time },
      { op: 'update', table: 'company', id, set: {}, expected: { name: null }, time },
      { op: 'update', table: 'office', id, set: { company_id: one.id }, expected: {}, time },
      { op: 'transition', name: 'move', table: 'company', id, field: 'status', from: ['draft'], to: 'x', time },
      { op: 'delete', table: 'company', id, time: '' },
      { op: 'delete', table: 'office', id, time: '' },
    ];
    for (const write of writes) expect(await subject.store.write(write), write.op).toEqual(missing);
    const places = [
      { id: item.id, idx: 2 },
      { id, idx: 1 },
    ];
    // A body that names U+0000 is refused before.
    if (!id.includes('\0')) {
      for (const items of [places, places.slice(1)]) {
        expect(await subject.store.write({ op: 'reorder', table: 'office', items })).toEqual(missing);
      }
      expect(await subject.store.write(insertOf(office, { company_id: id }))).toEqual({ outcome: 'parent_missing' });
    }
    const none = { total: 0, hasMore: false, items: [] };
    expect(await subject.page(office, { where: { company_id: id } })).toEqual(none);
    expect(await subject.page(office, { where: { company_id: id }, after: item.id })).toBeUndefined();
    expect(await subject.page(office, { where: { company_id: one.id }, after: id })).toBeUndefined();
    expect(await subject.page(company, { after: id })).toMatchObject({ total: 1, hasMore: false });
    expect(await subject.get(company, one.id)).toEqual(one);
    expect(await subject.items(office, { company_id: one.id })).toEqual([item]);
  });

  // Its megabytes take long: `npm test` streams those of views and expansions.
  describe.runIf(isLong)('a long page', () => {
    const filler = (n: number, length: number): string =>
      `${n} é"\\ `.padEnd(length, String.fromCodePoint(97 + (n % 26)));

    async function fill(count: number, length: number): Promise<Stored[]> {
      const inserts = Array.from({ length: count }, (_, n) => insertOf(company, { name: filler(n, length) }));
      await Promise.all(inserts.map((one) => subject.store.write(one)));
      return inserts.map((one) => storedBy(company, one)).toReversed();
    }

    async function pieces(): Promise<ItemStream> {
      const listing = await subject.store.list('company', { limit: 1000, offset: 0 });
      if (!listing || !areLong(listing.items)) throw new Error('It is not streamed.');
      return itemsOf(subject.store, 'company', listing) as ItemStream;
    }

    // Some long records, many of some size, and both among short ones.
    test.each([
      [3, 2 * maxPageBytes],
      [30, maxPageBytes / 16],
      [400, maxPageBytes / 200],
    ])('of %i records of %i characters comes in pieces, none of them longer than it need be', async (count, length) => {
      const short = await subject.insert(company, { name: 'before' });
      const long = await fill(count, length);
      const last = await subject.insert(company, { name: 'after' });
      const all = [last, ...long, short];
      for await (const piece of await pieces()) {
        const bytes = typeof piece === 'number' ? piece : piece.length;
        expect(bytes).toBeLessThan(2 * (length + maxPageBytes));
      }
      const same = (page: { items: readonly Stored[] } | undefined, wanted: readonly Stored[]): void =>
        expect(JSON.stringify(page?.items) === JSON.stringify(wanted)).toBe(true);
      same(await subject.page(company), all);
      same(await subject.page(company, { limit: count }), all.slice(0, count));
      same(await subject.page(company, { after: last.id }), all.slice(1));
      const some = await subject.page(company, { limit: count, after: last.id });
      expect(some).toMatchObject({ total: count + 2, hasMore: true });
      same(some, long);
    });

    test('that nobody reads to its end holds up nothing', async () => {
      const all = await fill(5, maxPageBytes);
      for (let n = 0; n < 20; n++) {
        for await (const _ of await pieces()) if (n > 10) break;
      }
      const ends = await Promise.all(Array.from({ length: 20 }, () => subject.insert(company)));
      expect(await subject.page(company, { limit: 1 })).toMatchObject({ total: ends.length + all.length });
    });

    test('leaves out what is deleted while it is read, and gives the rest whole', async () => {
      const all = await fill(6, maxPageBytes);
      const decoder = new TextDecoder();
      let text = '';
      let first = true;
      for await (const piece of await pieces()) {
        if (typeof piece === 'number') continue;
        text += decoder.decode(piece, { stream: true });
        if (!first) continue;
        first = false;
        for (const { id } of [all[1]!, all.at(-1)!]) {
          await subject.store.write({ op: 'delete', table: 'company', id, time: '' });
        }
      }
      const found = (JSON.parse(`[${text}]`) as Stored[]).map(({ id }) => id);
      const without = all.map(({ id }) => id);
      // Records that were fetched before may be there.
      expect(found.filter((id) => id !== without[1] && id !== without.at(-1))).toEqual(
        without.slice(2, -1).toSpliced(0, 0, without[0]!),
      );
    });
  });
});
