import { describe, expect, test } from 'vitest';

import { newId } from '../../runtime/kernel/model/ids.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import type { Page } from '../../runtime/kernel/records/page.ts';
import { branch, company, type Fields, insertOf, office, onEachEngine, part, rule, type Stored } from './contract.ts';

onEachEngine((subject) => {
  const ids = async (table: Table, page: Partial<Page>): Promise<string[] | undefined> =>
    (await subject.page(table, page))?.items.map(({ id }) => id);

  /** Walks a list from page to page by `after`, and by offset, and compares both with the list as a whole. */
  async function expectWalks(table: Table, whole: readonly string[], where?: Fields): Promise<void> {
    const filter = where && { where };
    for (const limit of new Set([1, 2, 3, whole.length || 1, whole.length + 1])) {
      let after: string | undefined;
      for (let offset = 0; offset <= whole.length; offset += limit) {
        const wanted = { total: whole.length, hasMore: offset + limit < whole.length };
        const piece = whole.slice(offset, offset + limit);
        const byOffset = await subject.page(table, { limit, offset, ...filter });
        expect(byOffset).toMatchObject(wanted);
        expect(byOffset?.items.map(({ id }) => id)).toEqual(piece);
        if (after !== undefined) {
          expect(await subject.page(table, { limit, after, ...filter })).toEqual(byOffset);
        }
        after = piece.at(-1) ?? after;
      }
    }
  }

  describe('records', () => {
    test('come newest first, page by page', async () => {
      const inserts = Array.from({ length: 7 }, () => insertOf(company));
      await Promise.all(inserts.map((one) => subject.store.write(one)));
      await expectWalks(company, inserts.map(({ values }) => String(values[0])).toReversed());
    });

    test('are none behind the end, and none in an empty table', async () => {
      const empty = { total: 0, hasMore: false, items: [] };
      expect(await subject.page(company)).toEqual(empty);
      expect(await subject.page(company, { after: 'company_x' })).toEqual(empty);
      const { id } = await subject.insert(company);
      const none = { total: 1, hasMore: false, items: [] };
      for (const offset of [1, 2, 1_000_000, Number.MAX_SAFE_INTEGER]) {
        expect(await subject.page(company, { offset, limit: 1 })).toEqual(none);
      }
      expect(await subject.page(company, { after: id })).toEqual(none);
    });

    test('go on behind a record that has been deleted', async () => {
      const all: Stored[] = [];
      for (let n = 0; n < 4; n++) all.unshift(await subject.insert(company));
      const [, gone, ...rest] = all;
      await subject.store.write({ op: 'delete', table: 'company', id: gone!.id, time: '' });
      expect(await subject.page(company, { after: gone!.id })).toEqual({ total: 3, hasMore: false, items: rest });
      expect(await subject.page(company, { after: gone!.id, limit: 1 })).toMatchObject({ total: 3, hasMore: true });
    });

    test('are counted under a filter', async () => {
      const none = { total: 0, hasMore: false, items: [] };
      const drafts: string[] = [];
      for (let n = 0; n < 7; n++) {
        const { id } = await subject.insert(company, { status: n % 3 === 0 ? 'draft' : 'open', name: null });
        if (n % 3 === 0) drafts.unshift(id);
      }
      await expectWalks(company, drafts, { status: 'draft', name: null });
      await expectWalks(company, [], { status: 'closed' });
      // PostgreSQL cannot store U+0000.
      const nul = '~\0';
      expect(await subject.page(company, { where: { status: nul }, after: '~' })).toEqual(none);
      expect(await ids(company, { where: { status: 'draft' }, after: nul })).toEqual(drafts);
    });

    test('take any text for the place to go on at', async () => {
      const { id } = await subject.insert(company);
      expect(await ids(company, {})).toEqual([id]);
      // By the bytes of their UTF-8, wherever a language would put them.
      const behind: [string, boolean][] = [
        ['', false],
        ['company', false],
        ['COMPANY_ZZZZZZZZZZZZZZZZZZZZZZZZZZ', false],
        ['company_ZZZZZZZZZZZZZZZZZZZZZZZZZZ', true],
        [`${id} `, true],
        [id.toLowerCase(), true],
        ['company`', true],
        ['~', true],
        ['ÿ', true],
        ['\u{10ffff}', true],
        ["' or 1=1 --", false],
        ['%', false],
        ['\\', false],
      ];
      for (const [after, there] of behind) {
        expect(await ids(company, { after }), after).toEqual(there ? [id] : []);
      }
    });

    test('of a renamed resource come in the order of their creation, whatever their ids begin with', async () => {
      const names = ['site', 'branch', 'a_much_longer_name', 'branch', 'site', 'a_much_longer_name', 'branch'];
      const all: string[] = [];
      for (const name of names) {
        const { id, time } = newId(name);
        await subject.insert(branch, { id, created_at: time, updated_at: time });
        all.unshift(id);
      }
      await expectWalks(branch, all);
      const gone = all.splice(2, 1)[0]!;
      await subject.store.write({ op: 'delete', table: 'branch', id: gone, time: '' });
      expect(await ids(branch, { after: gone })).toEqual(all.slice(2));
      expect(await ids(branch, { after: 'x' })).toEqual(all);
      expect(await ids(branch, { after: '' })).toEqual([]);
      // As long as the part that sorts by time, nearly, or not at all.
      for (const length of [3, 24, 25, 26, 27]) {
        expect(await ids(branch, { after: ''.padStart(length, 'Z') })).toEqual(all);
        expect(await ids(branch, { after: 'Z'.padStart(length, '0') })).toEqual([]);
      }
    });
  });

  describe('line items', () => {
    /** Items whose places are given as they are made, and in the order of their list. */
    async function make(table: Table, parent: Fields, places: readonly number[]): Promise<Stored[]> {
      const all: Stored[] = [];
      for (const idx of places) all.push(await subject.insert(table, { ...parent, idx }));
      const place = (item: Stored): number => Number(item['idx']);
      return all.toSorted((a, b) => place(a) - place(b));
    }
    const places = [3, -2, 3, 0, 3, Number.MAX_SAFE_INTEGER, -2, Number.MIN_SAFE_INTEGER, 10, 9];

    test('come by idx, then oldest first, of one parent alone', async () => {
      const { id } = await subject.insert(company);
      const other = await subject.insert(company);
      const sorted = await make(office, { company_id: id }, places);
      await make(office, { company_id: other.id }, [1, 2, 3]);
      const where = { company_id: id };
      expect(await subject.items(office, where)).toEqual(sorted);
      await expectWalks(
        office,
        sorted.map((item) => item.id),
        where,
      );
    });

    test('of a renamed resource are as old as their ids say, whatever these begin with', async () => {
      const all: string[] = [];
      for (const name of ['part', 'component', 'component', 'part', 'component']) {
        const { id } = newId(name);
        await subject.insert(part, { id, machine_id: 'm', idx: 1 });
        all.push(id);
      }
      await expectWalks(part, all, { machine_id: 'm' });
    });

    test('are none of an unknown parent', async () => {
      await subject.insert(part, { machine_id: 'm' });
      for (const machine of ['', 'n', 'M', 'm ', "m' or ''='", '%']) {
        const none = { total: 0, hasMore: false, items: [] };
        expect(await subject.page(part, { where: { machine_id: machine } })).toEqual(none);
      }
    });

    test('do not go on behind what is no item of this parent', async () => {
      const [one, two] = [
        await subject.insert(part, { machine_id: 'm' }),
        await subject.insert(part, { machine_id: 'n' }),
      ];
      const ofM = (after: string): Promise<string[] | undefined> => ids(part, { after, where: { machine_id: 'm' } });
      // The first page is not the one behind an empty id.
      expect(await ids(part, { where: { machine_id: 'm' } })).toEqual([one.id]);
      expect(await ofM(one.id)).toEqual([]);
      for (const after of [two.id, '', 'piecenone', one.id.toLowerCase()]) expect(await ofM(after)).toBeUndefined();
      expect(await ids(part, { after: one.id, where: { machine_id: 'unknown' } })).toBeUndefined();
      await subject.store.write({ op: 'delete', table: 'part', id: one.id, time: '' });
      expect(await ofM(one.id)).toBeUndefined();
    });

    test('go on from where the item is now', async () => {
      const all = await make(part, { machine_id: 'm' }, [1, 2, 3, 4]);
      const [a, b, c, d] = all.map(({ id }) => id) as [string, string, string, string];
      await subject.store.write({ op: 'reorder', table: 'part', items: [{ id: a, idx: 3 }] });
      expect(await ids(part, { after: a, where: { machine_id: 'm' } })).toEqual([c, d]);
      expect(await ids(part, { after: b, where: { machine_id: 'm' } })).toEqual([a, c, d]);
    });

    test('of one kind of parent and of all kinds with this id', async () => {
      const both: Stored[] = [];
      for (const [parent_type, idx] of [
        ['a', 1],
        ['b', 2],
        ['a', 3],
        ['b', 3],
      ] as const) {
        both.push(await subject.insert(rule, { parent_type, parent_id: 'x', idx }));
      }
      await expectWalks(
        rule,
        both.map(({ id }) => id),
        { parent_id: 'x' },
      );
      const ofKind = (kind: string): string[] =>
        both.filter(({ parent_type }) => parent_type === kind).map(({ id }) => id);
      for (const kind of ['a', 'b', 'c']) {
        await expectWalks(rule, ofKind(kind), { parent_type: kind, parent_id: 'x' });
      }
    });
  });
});
