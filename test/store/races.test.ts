import { beforeEach, describe, expect, test } from 'vitest';

import { ApiError } from '../../runtime/kernel/model/errors.ts';
import type { Write, WriteResult } from '../../runtime/kernel/records/write.ts';
import type { MainStore } from '../support/main-store.ts';
import { Random } from '../support/random.ts';
import { repeatable, seed } from '../support/seed.ts';
import {
  company,
  insertOf,
  office,
  onEachEngine,
  options,
  parsed,
  part,
  rule,
  slot,
  type Stored,
  vehicle,
} from './contract.ts';
import { jsonOf, onlyJson } from '../support/main-store.ts';

const time = '2999-01-01T00:00:00.000Z';
const deleteOf = (table: string, id: string): Write => ({ op: 'delete', table, id, time: '' });
const outcomes = (results: readonly WriteResult[]): string[] => results.map(({ outcome }) => outcome);

beforeEach(repeatable);

onEachEngine((subject, engine) => {
  // Racing writes of one server share a transaction, and those of several do not.
  describe.each([
    ['one server', 1],
    ['three servers', 3],
  ])('writes of %s', (_, servers) => {
    async function all(writes: readonly Write[]): Promise<WriteResult[]> {
      while (subject.others.length < servers - 1) await subject.another();
      const stores: MainStore[] = [subject.store, ...subject.others];
      return Promise.all(writes.map((write, n) => (stores[n % servers] as MainStore).write(write)));
    }

    test('that move one record: one wins', async () => {
      const { id } = await subject.insert(company);
      const targets = Array.from({ length: 24 }, (_unused, n) => `state ${n}`);
      const results = await all(
        targets.map((to) => ({
          op: 'transition',
          name: 'move',
          table: 'company',
          id,
          field: 'status',
          from: ['draft'],
          to,
          time,
        })),
      );
      const winners = targets.filter((_unused, n) => results[n]?.outcome === 'written');
      expect(winners).toHaveLength(1);
      const lost = { outcome: 'wrong_state', state: winners[0] };
      expect(results.filter(({ outcome }) => outcome !== 'written')).toEqual(Array.from({ length: 23 }, () => lost));
      expect(await subject.get(company, id)).toMatchObject({ status: winners[0], updated_at: time });
    });

    test('that add line items to one parent: places from 1 on, none left out or given twice', async () => {
      const { id } = await subject.insert(company);
      await all(Array.from({ length: 60 }, (_unused, n) => insertOf(n % 2 ? office : vehicle, { company_id: id })));
      const pair = { parent_type: 'a', parent_id: 'x' };
      await all(
        Array.from({ length: 30 }, (_unused, n) => insertOf(rule, n % 2 ? pair : { ...pair, parent_id: null })),
      );
      await all(Array.from({ length: 30 }, (_unused, n) => insertOf(part, { machine_id: `m${n % 2}` })));
      const settings = parsed(options, await onlyJson(subject.store, 'options')).id;
      await all(Array.from({ length: 15 }, () => insertOf(slot, { options_id: settings })));
      const counts = [
        [office, { company_id: id }, 30],
        [vehicle, { company_id: id }, 30],
        [rule, pair, 15],
        [rule, { ...pair, parent_id: null }, 15],
        [part, { machine_id: 'm0' }, 15],
        [part, { machine_id: 'm1' }, 15],
        [slot, { options_id: settings }, 15],
      ] as const;
      for (const [table, where, count] of counts) {
        const places = (await subject.items(table, where)).map(({ idx }) => idx);
        expect(places).toEqual(Array.from({ length: count }, (_unused, n) => n + 1));
      }
    });

    test('that delete a parent: no line item survives it', async () => {
      for (let round = 0; round < 5; round++) {
        const { id } = await subject.insert(company);
        const other = await subject.insert(company);
        const mover = await subject.insert(office, { company_id: other.id });
        // Those whose place is given need not look for the last one.
        const writes = Array.from({ length: 24 }, (_unused, n): Write =>
          insertOf(office, { company_id: id, ...(n % 2 && { idx: n }) }),
        );
        const move: Write = {
          op: 'update',
          table: 'office',
          id: mover.id,
          set: { company_id: id },
          expected: {},
          time,
        };
        const results = await all(
          writes.toSpliced(8 + round, 0, move, deleteOf('company', id), deleteOf('company', id)),
        );
        const ends = outcomes(results);
        expect(ends.filter((end) => end === 'deleted')).toHaveLength(1);
        expect(ends.filter((end) => end === 'not_found').length).toBeLessThanOrEqual(2);
        expect(await subject.page(office, { where: { company_id: id } })).toEqual({
          total: 0,
          hasMore: false,
          items: [],
        });
        const left = await subject.items(office, { company_id: other.id });
        const moved = results[8 + round]?.outcome;
        expect(left.map((item) => item.id)).toEqual(moved === 'written' ? [] : [mover.id]);
        await subject.expectExactTotals();
      }
      const rows = await subject.database.query(
        'select count(*) as n from "office" where "company_id" not in (select "id" from "company")',
      );
      expect(Number(rows[0]?.['n'])).toBe(0);
    });

    test('that reorder one parent: the places are those of one of them', async () => {
      const items: Stored[] = [];
      for (let n = 0; n < 10; n++) items.push(await subject.insert(part, { machine_id: 'm' }));
      const orders = Array.from({ length: 12 }, (_unused, turn) =>
        items.map((_item, n) => ({ id: items[(n + turn) % items.length]!.id, idx: turn * 100 + n })),
      );
      // Each names the items in an order of its own, in which two could wait for each other.
      const results = await all(orders.map((order) => ({ op: 'reorder', table: 'part', items: order })));
      expect(new Set(outcomes(results))).toEqual(new Set(['reordered']));
      const now = (await subject.items(part, { machine_id: 'm' })).map(({ id, idx }) => ({ id, idx }));
      expect(orders).toContainEqual(now);
    });

    test('that change different fields of one record: none is lost', async () => {
      const { id } = await subject.insert(company);
      const only = parsed(options, await onlyJson(subject.store, 'options'));
      const set = { name: 'n', status: 's', order: 7, default: 0.5, user: true };
      const writes = Object.entries(set).map(([name, value]): Write => ({
        op: 'update',
        table: 'company',
        id,
        set: { [name]: value },
        expected: {},
        time,
      }));
      const settings = Object.entries({ limit: 9, label: 'l' }).map(([name, value]): Write => ({
        op: 'update',
        table: 'options',
        id: only.id,
        set: { [name]: value },
        expected: {},
        time,
      }));
      const results = await all([...writes, ...settings, ...writes, ...settings]);
      expect(new Set(outcomes(results))).toEqual(new Set(['written']));
      expect(await subject.get(company, id)).toMatchObject(set);
      expect(parsed(options, await onlyJson(subject.store, 'options'))).toMatchObject({
        id: only.id,
        limit: 9,
        label: 'l',
      });
    });

    test('that expect a value which the others change: one wins', async () => {
      const { id } = await subject.insert(company, { order: 0 });
      const results = await all(
        Array.from({ length: 20 }, (_unused, n) => ({
          op: 'update',
          table: 'company',
          id,
          set: { order: n + 1 },
          expected: { order: 0 },
          time,
        })),
      );
      expect(outcomes(results).filter((end) => end === 'written')).toHaveLength(1);
      expect(outcomes(results).filter((end) => end === 'unexpected')).toHaveLength(19);
    });

    test('that move line items about: each is where it was moved to last, and is counted once', async () => {
      const items: Stored[] = [];
      for (let n = 0; n < 6; n++) items.push(await subject.insert(part, { machine_id: `m${n % 3}` }));
      const moves = Array.from({ length: 60 }, (_unused, n): Write => {
        const { id } = items[n % items.length]!;
        if (n >= 54) return deleteOf('part', id);
        return { op: 'update', table: 'part', id, set: { machine_id: `m${(n * 7) % 4}` }, expected: {}, time };
      });
      await all(moves.slice(0, 54));
      await subject.expectExactTotals();
      // The same again, while they are deleted.
      await all([...moves, ...moves.toReversed()]);
      for (let n = 0; n < 4; n++) {
        expect(await subject.page(part, { where: { machine_id: `m${n}` } })).toMatchObject({ total: 0, items: [] });
      }
    });

    test('of many kinds at once keep the totals exact', async () => {
      const parents = [await subject.insert(company), await subject.insert(company), await subject.insert(company)];
      const known: [string, string][] = [];
      const random = new Random(seed);
      for (let round = 0; round < 6; round++) {
        const writes = Array.from({ length: 40 }, (): Write => {
          const kind = random.below(10);
          const parent = random.of(parents).id;
          const [table, id] = random.of(known) ?? ['office', 'office_none'];
          if (kind < 5) {
            const made = insertOf(kind < 3 ? office : vehicle, { company_id: parent });
            known.push([made.table, String(made.values[0])]);
            return made;
          }
          if (kind < 7) return deleteOf(table, id);
          if (kind < 9) return { op: 'update', table, id, set: { company_id: parent }, expected: {}, time };
          return round < 3 ? insertOf(company) : deleteOf('company', parent);
        });
        await all(writes);
        await subject.expectExactTotals();
      }
    });
  });

  test('a store that is closed finishes the writes under way, and takes no more', async () => {
    const store = await subject.another();
    const inserts = Array.from({ length: 50 }, (_, n) => insertOf(company, { name: `${n}` }));
    const under = inserts.map((one) => store.write(one));
    const closed = store.close();
    const ends = await Promise.all(under);
    await closed;
    expect(new Set(outcomes(ends))).toEqual(new Set(['written']));
    for (const call of [
      () => store.write(insertOf(company)),
      () => jsonOf(store, 'company', 'company_none'),
      () => store.list('company', { limit: 1, offset: 0 }),
      () => onlyJson(store, 'options'),
      () => store.check(),
    ]) {
      await expect((async () => call())()).rejects.toThrow(ApiError);
    }
    const names = (await subject.items(company)).map(({ name }) => Number(name));
    expect(names).toEqual(inserts.map((_, n) => n).toReversed());
  });

  test('reads see what has been written before, in whichever server', async () => {
    const other = await subject.another();
    for (let n = 0; n < 20; n++) {
      const { id } = await subject.insert(company, { name: `${n}` });
      expect(parsed(company, String((await jsonOf(other, 'company', id)) ?? '{}'))).toMatchObject({ name: `${n}` });
      await other.write({ op: 'update', table: 'company', id, set: { name: 'x' }, expected: {}, time });
      expect(await subject.get(company, id)).toMatchObject({ name: 'x' });
      expect(await subject.page(company, { limit: 1 }, other)).toMatchObject({
        total: n + 1,
        items: [{ id, name: 'x' }],
      });
    }
    expect(engine.missing).toBeUndefined();
  });
});
