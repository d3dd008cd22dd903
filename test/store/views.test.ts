import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import { showRecord } from '../../runtime/kernel/records/reads.ts';
import { streamRecord } from '../../runtime/kernel/records/stream.ts';
import {
  boolean,
  id,
  integer,
  number,
  optional,
  position,
  text,
  timestamp,
} from '../../runtime/kernel/model/fields.ts';
import { lineItem, record, singleton, type Table } from '../../runtime/kernel/model/table.ts';
import { maxPageBytes } from '../../runtime/kernel/records/limits.ts';
import type { ItemStream, Listing, Page, Projection, ShownRecords } from '../../runtime/kernel/records/page.ts';
import { describeEngine, engines, type TestDatabase, textOf, itemsOf } from '../support/databases.ts';
import type { MainStore } from '../support/main-store.ts';
import { type Fields, insertOf, wide } from './contract.ts';
import { onlyJson } from '../support/main-store.ts';
import { refers } from '../../runtime/features/references/feature.ts';
import { expands } from '../../runtime/features/projection/feature.ts';

const times = { created_at: timestamp(), updated_at: timestamp() };

const order = record(
  'order',
  z.strictObject({
    id: id(),
    name: optional(text()),
    count: optional(integer()),
    total: optional(number()),
    is_paid: optional(boolean()),
    notes: optional(text()),
    ...times,
  }),
  {},
  [expands('order-line', 'line'), expands('notice', 'notice'), expands('mentions', 'notice', 'about_id')],
);
const ofOrder = { parent: { field: 'order_id', table: 'order' } };
const line = lineItem(
  'line',
  z.strictObject({
    id: id(),
    idx: position(),
    order_id: text(),
    article: optional(text()),
    is_free: optional(boolean()),
  }),
  ofOrder,
);
const notice = lineItem(
  'notice',
  z.strictObject({ id: id(), idx: position(), order_id: text(), body: text(), about_id: optional(refers('order')) }),
  ofOrder,
);
const settings = singleton('settings', z.strictObject({ id: id(), label: optional(text()), ...times }), {}, [
  expands('slot', 'slot'),
]);
const slot = lineItem('slot', z.strictObject({ id: id(), idx: position(), settings_id: text() }), {
  parent: { field: 'settings_id', table: 'settings' },
});
const tables: readonly Table[] = [order, line, notice, settings, slot, wide];

const keys = { 'order-line': ['order_line', 'line'], notice: ['notice', 'notice'], slot: ['slot', 'slot'] } as const;
const parentField = { line: 'order_id', notice: 'order_id', slot: 'settings_id' } as const;

type Json = Record<string, unknown> & { id: string };
const parsed = async (items: ShownRecords | ItemStream): Promise<Json[]> =>
  JSON.parse(`[${await textOf(items)}]`) as Json[];
const isStreamed = (items: ShownRecords | ItemStream): boolean => typeof items === 'object' && !Array.isArray(items);

type Shown = Omit<Listing, 'items'> & { readonly items: ShownRecords | ItemStream };

/** The largest chunk of a stream that has no record over it: a page is read until it is longer than this. */
const maxChunk = 1.5 * maxPageBytes;

for (const engine of engines) {
  describeEngine(engine, 'views', () => {
    let database: TestDatabase;
    let store: MainStore;

    beforeAll(async () => {
      database = await engine.create(tables);
      store = await database.open(tables);
    });
    afterAll(async () => {
      await store.close();
      await database[Symbol.asyncDispose]();
    });

    const list = async (table: string, page: Partial<Page> = {}): Promise<Shown> => {
      const listing = (await store.list(table, { limit: 1000, offset: 0, ...page })) as Listing;
      return { ...listing, items: itemsOf(store, table, listing, page.projection) };
    };

    const show = async (table: string, one: string, projection: Projection): Promise<ShownRecords | ItemStream> => {
      const items = (await store.show(table, [one], projection)) ?? { ids: [one] };
      return itemsOf(store, table, { items }, projection);
    };

    async function insert(table: Table, fields: Fields): Promise<string> {
      const write = insertOf(table, fields);
      expect(await store.write(write)).toMatchObject({ outcome: 'written' });
      return String(write.values[0]);
    }

    /** A record as a projection shows it, made from the whole record and the lists of its items. */
    async function shown(whole: Json, { fields, expand = [] }: Projection): Promise<Json> {
      const names = Object.keys(whole).filter((name) => fields === undefined || fields.includes(name));
      const json = Object.fromEntries(names.map((name) => [name, whole[name]])) as Json;
      for (const path of Object.keys(keys) as (keyof typeof keys)[]) {
        if (!expand.includes(path)) continue;
        const [key, table] = keys[path];
        const where = { [parentField[table]]: whole.id };
        const { items, hasMore, total } = await list(table, { limit: 100, where });
        json[key] = { data: await parsed(items), has_more: hasMore, total };
      }
      return json;
    }

    async function expectPage(
      table: string,
      page: Partial<Page>,
      projection: Projection,
    ): Promise<ShownRecords | ItemStream> {
      const whole = await list(table, page);
      const { items, ...rest } = await list(table, { ...page, projection });
      expect(rest).toEqual({ total: whole.total, hasMore: whole.hasMore });
      const records = await parsed(items);
      const wanted = await Promise.all((await parsed(whole.items)).map((one) => shown(one, projection)));
      expect(records).toEqual(wanted);
      // Their order is that of the record.
      expect(records.map((one) => Object.keys(one))).toEqual(wanted.map((one) => Object.keys(one)));
      return items;
    }

    const allPaths: Projection = { expand: ['order-line', 'notice'] };
    const special = '"Zoë" \\ \u0001\n\u{1f642}\u2028 },{"id":"x"}';

    test('have the fields that are named, spelt as in the whole record', async () => {
      await insert(order, {
        name: special,
        count: Number.MIN_SAFE_INTEGER,
        total: -1.5e-7,
        is_paid: true,
        notes: '',
      });
      await insert(order, { total: 1e21, is_paid: false, count: 0 });
      await insert(order, {});
      const names = order.columns.map(({ name }) => name);
      const whole = await textOf((await list('order')).items);
      expect(await textOf((await list('order', { projection: { fields: names } })).items)).toBe(whole);
      for (const name of names) await expectPage('order', {}, { fields: ['id', name] });
      await expectPage('order', { limit: 1, offset: 1 }, { fields: ['id', 'notes', 'name'] });
      const [first] = await parsed((await list('order')).items);
      await expectPage('order', { after: first!.id, limit: 1 }, { fields: ['id', 'name'] });
    });

    test('have any fields of a record with many', async () => {
      const values = (n: number): Fields =>
        Object.fromEntries(
          wide.columns.slice(1, -2).flatMap(({ name, type }, i) => {
            const value = {
              decimal: null,
              json: null,
              text: `${name} ${n}`,
              bigint: i,
              'double precision': i / 7,
              boolean: i % 2 === 0,
            }[type];
            return (i + n) % 5 === 0 ? [] : [[name, value]];
          }),
        );
      for (let n = 0; n < 3; n++) await insert(wide, values(n));
      const fields = fc.subarray(wide.columns.map(({ name }) => name).slice(1));
      await fc.assert(
        fc.asyncProperty(fields, async (some) => void (await expectPage('wide', {}, { fields: ['id', ...some] }))),
        { numRuns: 15 },
      );
    });

    test('have the first 100 line items of each list', async () => {
      for (const [lines, notices] of [
        [0, 0],
        [1, 3],
        [100, 0],
        [101, 2],
      ] as const) {
        const order_id = await insert(order, { name: special });
        for (let n = 0; n < lines; n++) {
          await insert(line, { order_id, idx: n % 7 === 0 ? 3 : n, article: `${n} ${special}`, is_free: n % 2 === 0 });
        }
        for (let n = 0; n < notices; n++) await insert(notice, { order_id, idx: 3 - n, body: special });
      }
      await insert(line, { order_id: await insert(order, {}), idx: 1 });
      for (const projection of [
        allPaths,
        { expand: ['notice'] },
        { expand: ['order-line'], fields: ['id', 'is_paid'] },
      ]) {
        await expectPage('order', {}, projection);
        await expectPage('order', { limit: 2, offset: 1 }, projection);
      }
      const [last] = await parsed((await list('order', { limit: 1 })).items);
      await expectPage('order', { after: last!.id, limit: 3 }, allPaths);
    });

    test('of one record are those of a list of it', async () => {
      for (const whole of await parsed((await list('order')).items)) {
        for (const projection of [allPaths, { fields: ['id', 'name'] }, { fields: ['id'], expand: ['notice'] }]) {
          expect(await parsed(await show('order', whole.id, projection))).toEqual([await shown(whole, projection)]);
        }
      }
      for (const none of ['', 'order_x', special, '\0', 'line_01']) {
        expect(await store.show('order', [none], allPaths)).toHaveLength(0);
      }
    });

    test('of a singleton have its line items', async () => {
      const whole = JSON.parse(await onlyJson(store, 'settings')) as Json;
      for (let n = 0; n < 3; n++) await insert(slot, { settings_id: whole.id, idx: n });
      for (const projection of [{ expand: ['slot'] }, { fields: ['id', 'label'] }]) {
        expect(await parsed(await show('settings', whole.id, projection))).toEqual([await shown(whole, projection)]);
      }
    });

    /** Chunks of a stream; it is read to its end. */
    async function lengthsOf(items: ShownRecords | ItemStream): Promise<number[]> {
      expect(isStreamed(items)).toBe(true);
      const lengths: number[] = [];
      for await (const chunk of items as ItemStream) lengths.push(chunk.length);
      return lengths;
    }

    test('over 1 MiB are streamed in pieces', async () => {
      const order_id = await insert(order, { notes: special });
      const before = await insert(order, { name: 'before' });
      for (let n = 0; n < 60; n++) await insert(notice, { order_id, idx: n, body: `${n}${'é'.repeat(40_000)}` });
      await insert(notice, { order_id: before, idx: 1, body: 'small' });
      for (const projection of [allPaths, { fields: ['id', 'notes'], expand: ['notice'] }]) {
        const items = await expectPage('order', {}, projection);
        expect(isStreamed(items)).toBe(true);
        expect(Math.max(...(await lengthsOf((await list('order', { projection })).items)))).toBeLessThan(maxChunk);
        expect(Math.max(...(await lengthsOf(await show('order', order_id, projection))))).toBeLessThan(maxChunk);
      }
      const whole = (await parsed((await list('order')).items)).find((one) => one.id === order_id);
      expect(await parsed(await show('order', order_id, allPaths))).toEqual([await shown(whole!, allPaths)]);
      // Hidden fields are not read.
      expect(
        isStreamed((await list('notice', { where: { order_id }, projection: { fields: ['id', 'idx'] } })).items),
      ).toBe(false);
      await expectPage('notice', { where: { order_id } }, { fields: ['id', 'body'] });
    });

    test('have the newest line items of any parent that reference the record, also if they are long', async () => {
      const [about_id, ...parents] = [await insert(order, {}), await insert(order, {}), await insert(order, {})];
      const mentions: string[] = [];
      const expectMentions = async (isLong: boolean): Promise<void> => {
        const items = await show('order', about_id, { fields: ['id'], expand: ['mentions', 'order-line'] });
        expect(isStreamed(items)).toBe(isLong);
        const [one] = await parsed(items);
        expect(one).toMatchObject({
          mentions: {
            data: mentions.slice(0, 100).map((mention) => ({ id: mention })),
            has_more: true,
            total: mentions.length,
          },
          order_line: { data: [], has_more: false, total: 0 },
        });
      };
      for (let n = 0; n < 101; n++)
        mentions.unshift(await insert(notice, { order_id: parents[n % 2]!, idx: -n, body: 'short', about_id }));
      await expectMentions(false);
      for (let n = 0; n < 2; n++)
        mentions.unshift(
          await insert(notice, { order_id: parents[n]!, idx: 0, body: 'x'.repeat(maxPageBytes / 2), about_id }),
        );
      await expectMentions(true);
      for (const one of [...parents, about_id])
        await store.write({ op: 'delete', table: 'order', id: String(one), time: '' });
    });

    test('that have begun are not refused, however many lists the client requests meanwhile', async () => {
      const order_id = await insert(order, {});
      for (let n = 0; n < 2; n++) await insert(notice, { order_id, idx: n, body: 'x'.repeat(maxPageBytes) });
      const items = (await show('order', order_id, { expand: ['notice'] })) as ItemStream;
      let bytes = 0;
      let others: Promise<unknown> | undefined;
      for await (const chunk of items) {
        others ??= Promise.allSettled(Array.from({ length: 300 }, () => list('line', { limit: 101 })));
        bytes += chunk.length;
      }
      expect(bytes).toBeGreaterThan(2 * maxPageBytes);
      await others;
      await store.write({ op: 'delete', table: 'order', id: order_id, time: '' });
    });

    test('of a long record that is deleted before it is read fail', async () => {
      const order_id = await insert(order, {});
      for (let n = 0; n < 2; n++) await insert(notice, { order_id, idx: n, body: 'x'.repeat(maxPageBytes) });
      const projection = { expand: ['notice'] };
      expect(await showRecord(store, order, order_id, projection)).toEqual({ ids: [order_id] });
      await store.write({ op: 'delete', table: 'order', id: order_id, time: '' });
      await expect(textOf(streamRecord(store, order, order_id, projection))).rejects.toThrow(
        'The record was deleted while it was read.',
      );
    });

    test('of many records with many line items are read a few records at a time', async () => {
      const digits = (value: string): string =>
        engine.name === 'SQLite' ? `printf('%026d', ${value})` : `lpad((${value})::text, 26, '0')`;
      const numbers = (last: number): string =>
        `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${last})`;
      const series = (last: number): string => `(${numbers(last)} select i from n)`;
      const time = `'2024-02-29T12:00:00.000Z'`;
      await database.execute(`
        insert into "order" ("_organization", "id", "name", "created_at", "updated_at")
          select 1, 'order_' || ${digits('i')}, 'many', ${time}, ${time} from ${series(250)} as _n;
        insert into "line" ("_organization", "id", "idx", "order_id", "article")
          select 1, 'line_' || ${digits('a.i * 1000 + b.i')}, b.i, 'order_' || ${digits('a.i')}, 'article'
          from ${series(250)} as a, ${series(110)} as b;
        insert into "_row_counter" select 1, 'line', "order_id", 0, count(*) from "line"
          where "article" = 'article' group by "order_id";
        update "_row_counter" set "count" = "count" + 250
          where "table" = 'order' and "parent" = '' and "shard" = 0`);
      const projection = { fields: ['id', 'name'], expand: ['order-line'] };
      const page = await list('order', { limit: 1000, projection });
      const lengths = await lengthsOf(page.items);
      expect(Math.max(...lengths)).toBeLessThan(maxChunk);
      const records = await parsed((await list('order', { limit: 1000, projection })).items);
      const many = records.filter(({ name }) => name === 'many');
      expect(many).toHaveLength(250);
      for (const one of many) {
        const lines = one['order_line'] as {
          data: { order_id: string; idx: number }[];
          has_more: boolean;
          total: number;
        };
        expect([lines.has_more, lines.total]).toEqual([true, 110]);
        expect(lines.data.map(({ idx }) => idx)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
        expect(lines.data.every(({ order_id }) => order_id === one.id)).toBe(true);
      }
      // A few chunks of many records, and a comma before each but the first.
      expect(lengths.length).toBeLessThan(many.length);
      // So many that only one is left for the last chunk.
      const odd = await list('order', { limit: 97, offset: records.length - 97, projection });
      expect(isStreamed(odd.items)).toBe(true);
      expect(await parsed(odd.items)).toEqual(records.slice(-97));
    });
  });
}
