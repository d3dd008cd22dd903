import { describe, expect, test } from 'vitest';

import type { Value } from '../../runtime/kernel/model/fields.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { features } from '../../runtime/features.ts';
import { perform, plainPipeline } from '../../runtime/kernel/records/perform.ts';
import { createRecord } from '../../runtime/kernel/records/prepare.ts';
import type { SingleWrite, Write, WriteOf } from '../../runtime/kernel/records/write.ts';
import {
  branch,
  company,
  type Fields,
  insertOf,
  office,
  onEachEngine,
  options,
  parsed,
  part,
  rule,
  slot,
  type Stored,
  storedBy,
  vehicle,
} from './contract.ts';
import { textOf } from '../support/databases.ts';
import { jsonOf, onlyJson } from '../support/main-store.ts';

const early = '2001-01-01T00:00:00.000Z';
const late = '2999-01-01T00:00:00.000Z';

type Change = { set?: Fields; expected?: Fields; time?: string };
const updateOf = (table: Table, id: string, { set = {}, expected = {}, time = late }: Change): Write => ({
  op: 'update',
  table: table.name,
  id,
  set,
  expected,
  time,
});
const deleteOf = (table: Table, id: string): Write => ({ op: 'delete', table: table.name, id, time: '' });
const reorderOf = (table: Table, ...items: readonly (readonly [string, number])[]): Write => ({
  op: 'reorder',
  table: table.name,
  items: items.map(([id, idx]) => ({ id, idx })),
});
const submitOf = (id: string, from = ['draft'], time = late): Write => ({
  op: 'transition',
  name: 'submit',
  table: company.name,
  id,
  field: 'status',
  from,
  to: 'submitted',
  time,
});

const valuesIn = (write: Write): readonly Value[] => (write as WriteOf<'insert'>).values;

const idx = (row: Stored): Value | undefined => row['idx'];
const moves = (items: readonly Stored[]): (readonly [string, Value | undefined])[] =>
  items.map((item) => [item.id, item['idx']] as const);

onEachEngine((subject) => {
  const { insert, written, get, page, items } = bound();
  // The methods as functions, for the subject is the same in every case.
  function bound(): Pick<typeof subject, 'insert' | 'written' | 'get' | 'page' | 'items'> {
    return {
      insert: (...given) => subject.insert(...given),
      written: (...given) => subject.written(...given),
      get: (...given) => subject.get(...given),
      page: (...given) => subject.page(...given),
      items: (...given) => subject.items(...given),
    };
  }
  const write: typeof subject.store.write = (one) => subject.store.write(one);

  describe('a record is never larger than its table allows', () => {
    const { maxBody } = company;
    const bytesOf = (stored: object): number => Buffer.byteLength(JSON.stringify(stored));
    const tooLarge = { outcome: 'record_too_large' };
    /** A text that fills a record of so many bytes, with what JSON escapes and what UTF-8 spells in four bytes. */
    const fill = (bytes: number, unit: string): string => {
      const unitBytes = bytesOf([unit]) - 4;
      return unit.repeat(Math.floor(bytes / unitBytes)) + 'x'.repeat(bytes % unitBytes);
    };

    test.each(['x', '\u0001', '"', '\u{1F600}'])('after an update or a transition, of %j', async (unit) => {
      const { id, ...others } = await insert(company, { name: '', default: 0.1 });
      const name = fill(maxBody - bytesOf({ id, ...others }), unit);
      expect(await write(updateOf(company, id, { set: { name: `${name}x` } }))).toEqual(tooLarge);
      const full = await written(updateOf(company, id, { set: { name } }));
      expect(bytesOf(full)).toBe(maxBody);
      expect(await write(updateOf(company, id, { set: { order: 10 } }))).toEqual(tooLarge);
      expect(await write(submitOf(id))).toEqual(tooLarge);
      expect(await get(company, id)).toEqual(full);
      expect(await written(updateOf(company, id, { set: { order: 2 } }))).toEqual({
        ...full,
        order: 2,
        updated_at: late,
      });
      expect(await write(updateOf(company, id, {}))).toMatchObject({ outcome: 'written' });
    });

    test('after an update that replaces a number which engines spell shorter than JavaScript', async () => {
      const { id, ...others } = await insert(company, { name: '', default: 1e20 });
      const most = maxBody - bytesOf({ id, ...others, default: 0 });
      const full = { name: 'x'.repeat(most + 1), default: 0 };
      expect(await write(updateOf(company, id, { set: full }))).toEqual(tooLarge);
      const fitting = { name: 'x'.repeat(most - 9), default: 0 };
      expect(await written(updateOf(company, id, { set: fitting }))).toMatchObject(fitting);
    });

    test('and it is refused for other reasons first', async () => {
      const { id } = await insert(company, { name: 'x'.repeat(maxBody), status: 'submitted' });
      expect(await write(submitOf(id))).toEqual({ outcome: 'wrong_state', state: 'submitted' });
      const differing = updateOf(company, id, { set: { name: 'x'.repeat(maxBody) }, expected: { order: 7 } });
      expect(await write(differing)).toEqual({ outcome: 'unexpected', columns: ['order'] });
    });

    test('in a batch, of which nothing is done', async () => {
      const { id } = await insert(company);
      const writes = [{ order: 2 }, { name: 'x'.repeat(maxBody) }].map((set) => updateOf(company, id, { set }));
      const batch = { op: 'batch', table: 'company', writes: writes as SingleWrite[], isTrial: false } as const;
      expect(await write(batch)).toEqual({ outcome: 'refused', at: 1, reason: tooLarge });
      expect(await get(company, id)).toMatchObject({ order: 1 });
    });

    test('after a reorder, whatever the new place', async () => {
      const parent = await insert(company);
      const item = await insert(office, { company_id: parent.id, idx: 1, city: '' });
      const set = { city: 'x'.repeat(office.maxBody - bytesOf(item) - 25) };
      expect((await write(updateOf(office, item.id, { set: { city: `${set.city}x` } }))).outcome).toBe(
        'record_too_large',
      );
      await written(updateOf(office, item.id, { set }));
      await write(reorderOf(office, [item.id, Number.MAX_SAFE_INTEGER]));
      const moved = await get(office, item.id);
      expect(bytesOf(moved as object)).toBeLessThanOrEqual(office.maxBody);
      expect((await write(updateOf(office, item.id, { set }))).outcome).toBe('written');
    });

    test('nor is a line item that moves to another parent', async () => {
      const [a, b] = [await insert(company), await insert(company)];
      const item = await insert(office, { company_id: a.id });
      const move = updateOf(office, item.id, { set: { company_id: b.id, city: 'x'.repeat(office.maxBody) } });
      expect(await write(move)).toEqual(tooLarge);
      expect((await page(office, { where: { company_id: a.id } }))?.total).toBe(1);
    });

    test('when it is created', async () => {
      const body = { name: '' };
      const { write: empty } = await createRecord(subject.store, company, body);
      const base = bytesOf(Object.fromEntries(company.columns.map(({ name }, i) => [name, valuesIn(empty)[i]])));
      const name = fill(maxBody - base, '\u0001');
      const full = await perform(
        plainPipeline(features.list),
        subject.store,
        await createRecord(subject.store, company, { name }),
        () => true,
      );
      expect(Buffer.byteLength(full.effect.json)).toBe(maxBody);
      await expect(createRecord(subject.store, company, { name: `${name}x` })).rejects.toThrow(
        'more than 1048576 bytes',
      );
    });
  });

  test('does none of a batch whose results are too large together', async () => {
    const { id } = await insert(company, { name: 'x'.repeat(3_000) });
    const writes = [2, 3].map((order) => updateOf(company, id, { set: { order } }));
    const batch = { op: 'batch', table: 'company', writes: writes as SingleWrite[], isTrial: false } as const;
    const refused = { outcome: 'refused', at: 1, reason: { outcome: 'results_too_large' } };
    expect(await write({ ...batch, maxResults: 5_000 })).toEqual(refused);
    expect(await get(company, id)).toMatchObject({ order: 1 });
    expect(await write({ ...batch, maxResults: 8_000 })).toMatchObject({ outcome: 'done' });
    expect(await get(company, id)).toMatchObject({ order: 3 });
  });

  describe('insert', () => {
    test('stores every column, and every way to the record has the same text', async () => {
      const sent = insertOf(company, { name: 'Zoë', order: -7, default: 0.1, user: true });
      const result = await write(sent);
      const wanted = storedBy(company, sent);
      expect(result).toEqual({
        outcome: 'written',
        json: String(await jsonOf(subject.store, 'company', wanted.id)),
        version: 1,
      });
      expect(await get(company, wanted.id)).toEqual(wanted);
      const { items: listed, ...counts } = (await subject.store.list('company', { limit: 1, offset: 0 }))!;
      expect(counts).toEqual({ total: 1, hasMore: false });
      expect(await textOf(listed)).toBe((result as { json: string }).json);
    });

    test('of a singleton counts nothing: a counter would make its table that of a record at the next start', async () => {
      const { id } = await insert(options);
      await subject.another();
      expect(await write({ op: 'delete', table: 'options', id, time: '' })).toEqual({ outcome: 'deleted' });
      await subject.another();
      await subject.closeOthers();
    });

    test('keeps nulls, and does not take them for absent', async () => {
      const nulls = { name: null, status: null, order: null, default: null, user: null };
      expect(await insert(company, nulls)).toMatchObject(nulls);
    });

    test('gives a line item without idx the place after the last one of its parent', async () => {
      const [a, b] = [await insert(company), await insert(company)];
      const add = async (parent: Stored, place: number | null): Promise<Value | undefined> =>
        idx(await insert(office, { company_id: parent.id, idx: place }));
      expect([await add(a, null), await add(a, null), await add(a, 10), await add(a, null)]).toEqual([1, 2, 10, 11]);
      expect([await add(b, -5), await add(b, null), await add(b, 11), await add(b, 11)]).toEqual([-5, -4, 11, 11]);
      expect((await items(office, { company_id: a.id })).map(idx)).toEqual([1, 2, 10, 11]);
      expect((await items(office, { company_id: b.id })).map(idx)).toEqual([-5, -4, 11, 11]);
      // Another table has places of its own.
      expect(idx(await insert(vehicle, { company_id: a.id }))).toBe(1);
    });

    test('takes the largest idx there is, and finds no place after it', async () => {
      const parent = { machine_id: 'm' };
      const last = await insert(part, { ...parent, idx: Number.MAX_SAFE_INTEGER });
      const first = await insert(part, { ...parent, idx: Number.MIN_SAFE_INTEGER });
      expect(await write(insertOf(part, parent))).toEqual({ outcome: 'idx_exhausted' });
      expect(await items(part, parent)).toEqual([first, last]);
      await written(updateOf(part, last.id, { set: { idx: Number.MAX_SAFE_INTEGER - 1 } }));
      expect(idx(await insert(part, parent))).toBe(Number.MAX_SAFE_INTEGER);
    });

    test('needs the parent that lives here, and no other', async () => {
      const elsewhere = await insert(branch);
      for (const id of ['company_none', '', elsewhere.id]) {
        expect(await write(insertOf(office, { company_id: id }))).toEqual({ outcome: 'parent_missing' });
        expect(await page(office, { where: { company_id: id } })).toEqual({ total: 0, hasMore: false, items: [] });
      }
      expect(idx(await insert(part, { machine_id: 'anything' }))).toBe(1);
      const { id } = parsed(options, await onlyJson(subject.store, 'options'));
      expect(idx(await insert(slot, { options_id: id }))).toBe(1);
    });

    test('counts the places of a pair of parent columns, null among them', async () => {
      const add = async (parent_type: string, parent_id: string | null): Promise<Value | undefined> =>
        idx(await insert(rule, { parent_type, parent_id }));
      expect([await add('a', 'x'), await add('a', 'x'), await add('b', 'x')]).toEqual([1, 2, 1]);
      expect([await add('a', null), await add('a', null), await add('b', null)]).toEqual([1, 2, 1]);
      expect([await add('a', ''), await add('a', 'null'), await add('a', 'x')]).toEqual([1, 1, 3]);
      expect((await page(rule, { where: { parent_id: 'x' } }))?.total).toBe(4);
      expect((await page(rule, { where: { parent_id: '' } }))?.total).toBe(1);
    });

    test('of an id that is there fails by itself, and harms no other write', async () => {
      const first = insertOf(company, { name: 'first' });
      const again = { ...first, values: first.values.map((value) => (value === 'first' ? 'again' : value)) };
      const others = [insertOf(company), insertOf(company)] as const;
      const ends = await Promise.allSettled([first, others[0], again, others[1]].map((one) => write(one)));
      const isDone = ends.map(({ status }) => status === 'fulfilled');
      // Either of both may come first, on connections of their own.
      expect(isDone).toEqual([isDone[0], true, !isDone[0], true]);
      expect((await items(company)).map(({ name }) => name)).toEqual([null, null, isDone[0] ? 'first' : 'again']);
    });
  });

  describe('update', () => {
    test('sets what is named, leaves the rest, and moves the time', async () => {
      const before = await insert(company, { name: 'a', default: 1.5 });
      const set = { name: null, order: 5, default: -2.5, user: true };
      const after = await written(updateOf(company, before.id, { set }));
      expect(after).toEqual({ ...before, ...set, updated_at: late });
      expect(await get(company, before.id)).toEqual(after);
      expect(await items(company)).toEqual([after]);
    });

    test('keeps the time where nothing changes, and never sets it back', async () => {
      const one = await insert(company, { name: 'a', default: 0.5 });
      const same = { name: 'a', status: 'draft', order: 1, default: 0.5, user: false };
      expect(await written(updateOf(company, one.id, { set: same }))).toEqual(one);
      expect(await written(updateOf(company, one.id, {}))).toEqual(one);
      const cleared = await written(updateOf(company, one.id, { set: { name: null }, time: early }));
      expect(cleared).toEqual({ ...one, name: null });
      expect(await written(updateOf(company, one.id, { set: { name: null } }))).toEqual(cleared);
      const set = { name: null, user: null };
      expect(await written(updateOf(company, one.id, { set }))).toMatchObject({ ...set, updated_at: late });
    });

    test('of a record that is not there says so, whatever it names', async () => {
      const other = await insert(branch);
      const changes: Change[] = [
        {},
        { set: { name: 'b' } },
        { expected: { id: 'x' } },
        { set: { name: 'b' }, expected: { id: 'x' } },
      ];
      for (const id of ['company_none', '', other.id]) {
        for (const change of changes) {
          expect(await write(updateOf(company, id, change))).toEqual({ outcome: 'not_found', id });
        }
        expect(await write(updateOf(office, id, { set: { company_id: 'none' } }))).toEqual({
          outcome: 'not_found',
          id,
        });
      }
      expect(await items(branch)).toEqual([other]);
    });

    test('is held back by a column that holds another value, all of which it names', async () => {
      const one = await insert(company, { name: 'a', default: 0.25, user: true, order: null });
      const { id, ...rest } = one;
      const expected = { id, ...rest };
      expect(await written(updateOf(company, id, { expected }))).toEqual(one);
      const wrong: Record<string, Value>[] = [
        { id: 'x' },
        { name: 'A' },
        { name: null },
        { order: 0 },
        { default: 0.250001 },
        { user: false },
        { user: null },
        { created_at: early, updated_at: late },
      ];
      for (const columns of wrong) {
        const change = { set: { name: 'changed' }, expected: { ...expected, ...columns } };
        const result = await write(updateOf(company, id, change));
        expect(result).toEqual({ outcome: 'unexpected', columns: Object.keys(columns) });
      }
      expect(await get(company, id)).toEqual(one);
      expect(await written(updateOf(company, id, { set: { name: 'b' }, expected }))).toMatchObject({ name: 'b' });
    });

    test('of a singleton changes the one record', async () => {
      const only = parsed(options, await onlyJson(subject.store, 'options'));
      expect(only).toMatchObject({ limit: 5, label: null });
      const after = await written(updateOf(options, only.id, { set: { label: 'x' } }));
      expect(after).toEqual({ ...only, label: 'x', updated_at: late });
      expect(parsed(options, await onlyJson(subject.store, 'options'))).toEqual(after);
    });

    test('moves a line item to another parent, with its idx', async () => {
      const [a, b] = [await insert(company), await insert(company)];
      const [one, two] = [await insert(office, { company_id: a.id }), await insert(office, { company_id: a.id })];
      const moved = await written(updateOf(office, two.id, { set: { company_id: b.id } }));
      expect(moved).toEqual({ ...two, company_id: b.id });
      const of = async (id: string): Promise<unknown> => page(office, { where: { company_id: id } });
      expect(await of(a.id)).toEqual({ total: 1, hasMore: false, items: [one] });
      expect(await of(b.id)).toEqual({ total: 1, hasMore: false, items: [moved] });
      const missing = await write(updateOf(office, one.id, { set: { company_id: 'none', city: 'x' } }));
      expect(missing).toEqual({ outcome: 'parent_missing' });
      expect(await written(updateOf(office, one.id, { set: { company_id: a.id } }))).toEqual(one);
      expect(await of(a.id)).toEqual({ total: 1, hasMore: false, items: [one] });
      expect(idx(await insert(office, { company_id: b.id }))).toBe(3);
    });

    test('moves line items from and to no parent', async () => {
      const one = await insert(rule, { parent_type: 'a', parent_id: 'x' });
      const total = async (): Promise<number | undefined> => (await page(rule, { where: { parent_id: 'x' } }))?.total;
      const steps: [Fields, number][] = [
        [{ parent_id: null }, 0],
        [{ parent_id: null, parent_type: 'b' }, 0],
        [{ parent_id: 'x' }, 1],
        [{ parent_type: 'c' }, 1],
        [{ parent_id: 'x', parent_type: 'd' }, 1],
      ];
      for (const [set, count] of steps) {
        expect(await written(updateOf(rule, one.id, { set }))).toMatchObject(set);
        expect(await total()).toBe(count);
        await subject.expectExactTotals();
      }
    });
  });

  describe('transition', () => {
    test('moves from one of the states, once', async () => {
      const one = await insert(company);
      const after = await written(submitOf(one.id, ['open', 'draft']));
      expect(after).toEqual({ ...one, status: 'submitted', updated_at: late });
      expect(await write(submitOf(one.id))).toEqual({ outcome: 'wrong_state', state: 'submitted' });
      expect(await get(company, one.id)).toEqual(after);
    });

    test('never sets the time back', async () => {
      const one = await insert(company);
      expect(await written(submitOf(one.id, ['draft'], early))).toEqual({ ...one, status: 'submitted' });
    });

    test('says which state the record is in, none among them', async () => {
      for (const state of [null, '', 'Draft', 'draft ', 'constructor']) {
        const one = await insert(company, { status: state });
        expect(await write(submitOf(one.id))).toEqual({ outcome: 'wrong_state', state });
        expect(await get(company, one.id)).toEqual(one);
      }
    });

    test('of a record that is not there says so', async () => {
      for (const id of ['company_none', '']) expect(await write(submitOf(id))).toEqual({ outcome: 'not_found', id });
    });
  });

  describe('delete', () => {
    test('takes the record and its line items, and nothing else', async () => {
      const [a, b] = [await insert(company), await insert(company)];
      for (const { id } of [a, b, a, b, a]) await insert(office, { company_id: id });
      for (const { id } of [a, b]) await insert(vehicle, { company_id: id });
      const unrelated = await insert(part, { machine_id: a.id });
      expect(await write(deleteOf(company, a.id))).toEqual({ outcome: 'deleted' });
      expect(await get(company, a.id)).toBeUndefined();
      expect(await page(company)).toEqual({ total: 1, hasMore: false, items: [b] });
      for (const table of [office, vehicle]) {
        expect(await page(table, { where: { company_id: a.id } })).toEqual({ total: 0, hasMore: false, items: [] });
      }
      expect((await page(office, { where: { company_id: b.id } }))?.total).toBe(2);
      expect((await page(vehicle, { where: { company_id: b.id } }))?.total).toBe(1);
      expect(await items(part, { machine_id: a.id })).toEqual([unrelated]);
    });

    test('of a record that is not there, or not any more, says so', async () => {
      const one = await insert(company);
      const other = await insert(branch);
      await write(deleteOf(company, one.id));
      for (const id of [one.id, 'company_none', '', other.id]) {
        expect(await write(deleteOf(company, id))).toEqual({ outcome: 'not_found', id });
      }
      expect(await items(branch)).toEqual([other]);
    });

    test('of a line item leaves its siblings where they are', async () => {
      const all: Stored[] = [];
      for (let n = 0; n < 3; n++) all.push(await insert(part, { machine_id: 'm' }));
      const [one, two, three] = all as [Stored, Stored, Stored];
      expect(await write(deleteOf(part, two.id))).toEqual({ outcome: 'deleted' });
      expect(await page(part, { where: { machine_id: 'm' } })).toEqual({
        total: 2,
        hasMore: false,
        items: [one, three],
      });
      expect(await write(deleteOf(part, three.id))).toEqual({ outcome: 'deleted' });
      expect(idx(await insert(part, { machine_id: 'm' }))).toBe(2);
      const lost = await insert(rule, { parent_type: 'a', parent_id: null });
      expect(await write(deleteOf(rule, lost.id))).toEqual({ outcome: 'deleted' });
    });
  });

  describe('reorder', () => {
    const three = async (table: Table, parent: Fields): Promise<[Stored, Stored, Stored]> => [
      await insert(table, parent),
      await insert(table, parent),
      await insert(table, parent),
    ];

    test('gives new places, leaves what is not named, and names the parent', async () => {
      const { id } = await insert(company);
      const parent = { company_id: id };
      const [a, b, c] = await three(office, parent);
      expect(await write(reorderOf(office, [c.id, -1], [a.id, 2]))).toEqual({ outcome: 'reordered', parent });
      expect(moves(await items(office, parent))).toEqual([
        [c.id, -1],
        [a.id, 2],
        [b.id, 2],
      ]);
      expect(idx(await insert(office, parent))).toBe(3);
    });

    test('takes all places or none', async () => {
      const parent = { machine_id: 'm' };
      const all = await three(part, parent);
      const [a, b, c] = all;
      const elsewhere = await insert(part, { machine_id: 'n' });
      const unknown = reorderOf(part, [a.id, 9], ['part_none', 8], [b.id, 7], ['part_more', 6]);
      expect(await write(unknown)).toEqual({ outcome: 'not_found', id: 'part_none' });
      const mixed = reorderOf(part, [c.id, 9], [elsewhere.id, 8], [a.id, 7], [elsewhere.id, 6]);
      expect(await write(mixed)).toEqual({ outcome: 'different_parent', indices: [1, 3] });
      const both = reorderOf(part, [a.id, 9], [elsewhere.id, 8], ['part_none', 7]);
      expect(await write(both)).toEqual({ outcome: 'not_found', id: 'part_none' });
      expect(await items(part, parent)).toEqual(all);
      expect(await items(part, { machine_id: 'n' })).toEqual([elsewhere]);
    });

    test('goes by the pair of parent columns, null among them', async () => {
      const [a, b] = await three(rule, { parent_type: 'a', parent_id: 'x' });
      const [c] = await three(rule, { parent_type: 'b', parent_id: 'x' });
      const [d, e] = await three(rule, { parent_type: 'a', parent_id: null });
      for (const other of [c, d]) {
        const mixed = reorderOf(rule, [a.id, 5], [other.id, 6], [b.id, 7]);
        expect(await write(mixed)).toEqual({ outcome: 'different_parent', indices: [1] });
      }
      const pair = { parent_type: 'a', parent_id: 'x' };
      expect(await write(reorderOf(rule, [a.id, 4], [b.id, 0]))).toEqual({ outcome: 'reordered', parent: pair });
      // The list takes the same pair as the reorder, with its own total.
      const ofPair = await page(rule, { where: pair });
      expect(ofPair).toMatchObject({ total: 3, hasMore: false });
      expect(ofPair?.items.map(idx)).toEqual([0, 3, 4]);
      expect(await page(rule, { where: pair, limit: 2 })).toMatchObject({ total: 3, hasMore: true });
      const nobody = { parent_type: 'a', parent_id: null };
      expect(await write(reorderOf(rule, [d.id, 2], [e.id, 1]))).toEqual({ outcome: 'reordered', parent: nobody });
      const ofNobody = await page(rule, { where: nobody });
      expect(ofNobody).toMatchObject({ total: 3, hasMore: false });
      expect(ofNobody?.items.map(({ id }) => id).slice(0, 2)).toEqual([e.id, d.id]);
      expect((await page(rule, { where: { parent_id: 'x' } }))?.total).toBe(6);
    });

    test('of a thousand items', async () => {
      const parent = { machine_id: 'm' };
      const inserts = Array.from({ length: 1000 }, (_, n) => insertOf(part, { ...parent, idx: n }));
      await Promise.all(inserts.map((one) => write(one)));
      const ids = inserts.map((one) => storedBy(part, one).id);
      const turned = reorderOf(part, ...ids.map((id, n) => [id, 1000 - n] as const));
      expect(await write(turned)).toEqual({ outcome: 'reordered', parent });
      expect((await items(part, parent)).map(({ id }) => id)).toEqual(ids.toReversed());
    });
  });
});
