import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';

import { ApiError } from '../../runtime/kernel/model/errors.ts';
import { newId } from '../../runtime/kernel/model/ids.ts';
import {
  decimal,
  id,
  integer,
  optional,
  position,
  text,
  timestamp,
  type Value,
} from '../../runtime/kernel/model/fields.ts';
import { lineItem, listed, record, transition } from '../../runtime/kernel/model/table.ts';
import type { Records } from '../../runtime/kernel/records/store.ts';
import type { SingleWrite, WriteResult } from '../../runtime/kernel/records/write.ts';
import { citus, describeEngine, engines, expectExactTotals, type TestDatabase } from '../support/databases.ts';
import { recordStatements, refusedByRouter } from '../support/citus-router.ts';
import type { MainStore } from '../support/main-store.ts';
import { unique } from '../../runtime/features/unique/columns.ts';

const times = { created_at: timestamp(), updated_at: timestamp() };
const time = '2999-01-01T00:00:00.000Z';

const member = record(
  'member',
  z.strictObject({
    id: id(),
    card: optional(text()),
    email: optional(text()),
    company: optional(text()),
    code: optional(integer()),
    fee: optional(decimal({ digits: 18, scale: 2 })),
    ...times,
  }),
  {},
  [
    unique('card'),
    unique(['company', 'code']),
    unique('email', { ignoreCase: true }),
    unique('fee'),
    transition('bar', { field: 'card', from: ['open'], to: 'barred' }),
    listed({ search: ['email'] }),
  ],
);

const seat = lineItem(
  'seat',
  z.strictObject({ id: id(), idx: position(), member_id: text(), event: text() }),
  { parent: { field: 'member_id', table: 'member' } },
  [unique(['member_id', 'event'])],
);

const tables = [member, seat];

const insertOf = (table: typeof member | typeof seat, set: Readonly<Record<string, Value>>) => {
  const { id: newest, time: now } = newId(table.name);
  const given = { id: newest, created_at: now, updated_at: now, ...set } as Record<string, Value>;
  const values = table.columns.map(({ name, default: value }) => given[name] ?? value);
  return { op: 'insert', table: table.name, values } as const satisfies SingleWrite;
};

const updateOf = (table: string, one: string, set: Readonly<Record<string, Value>>): SingleWrite => ({
  op: 'update',
  table,
  id: one,
  set,
  expected: {},
  time,
});

/** Writes as a client does: again if the database had no time for it, as it may for many that wait for each other. */
const untilAvailable = (write: () => Promise<WriteResult>): Promise<WriteResult> =>
  write().catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'unavailable') return untilAvailable(write);
    throw error;
  });

const idOf = ({ values }: ReturnType<typeof insertOf>): string => values[0] as string;
const times100 = <T>(make: (n: number) => T): T[] => Array.from({ length: 100 }, (_, n) => make(n));

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'unique fields', () => {
    let database: TestDatabase;
    let stores: MainStore[];
    let statements: ReturnType<typeof recordStatements>;

    beforeEach(async () => {
      database = await engine.create(tables);
      statements = recordStatements();
      stores = [await database.open(tables)];
    });
    afterEach(async () => {
      await expectExactTotals(database, tables);
      for (const store of stores) await store.close();
      if (engine.name === 'PostgreSQL') expect(await refusedByRouter(database.url, statements.texts)).toEqual([]);
      statements[Symbol.dispose]();
      await database[Symbol.asyncDispose]();
    });

    const store = (): Records => stores[0] as MainStore;
    const write = (one: SingleWrite): Promise<WriteResult> => store().write(one);
    const batch = (...writes: SingleWrite[]): Promise<WriteResult> =>
      store().write({ op: 'batch', table: writes[0]?.table ?? '', writes, isTrial: false });

    async function insert(...args: Parameters<typeof insertOf>): Promise<string> {
      const one = insertOf(...args);
      expect(await write(one)).toMatchObject({ outcome: 'written' });
      return idOf(one);
    }

    const clash = (fields: string[], other: string): WriteResult => ({ outcome: 'not_unique', fields, id: other });

    test('an insert names the record with the same value; nulls never clash', async () => {
      const first = await insert(member, { card: 'a', company: 'x', code: 1 });
      expect(await write(insertOf(member, { card: 'a' }))).toEqual(clash(['card'], first));
      expect(await write(insertOf(member, { company: 'x', code: 1 }))).toEqual(clash(['company', 'code'], first));
      for (const set of [{}, {}, { company: 'x' }, { company: 'x' }, { code: 1 }, { card: 'A' }])
        await insert(member, set);
    });

    test('ignore_case compares texts as searches fold them', async () => {
      const first = await insert(member, { email: 'Zoë.Müller@Example.com' });
      const [other, long] = [await insert(member, { email: 'zoe-muller@example.com' }), 'É'.repeat(60_000)];
      expect(await write(insertOf(member, { email: 'ZOE.MULLER@example.COM' }))).toEqual(clash(['email'], first));
      expect(await write(updateOf('member', other, { email: 'zoe.muller@example.com' }))).toEqual(
        clash(['email'], first),
      );
      const longest = await insert(member, { email: `${long}a` });
      const [stored] = await database.query(`select "_email_folded" as hash from member where id = '${longest}'`);
      await insert(member, { email: String(stored?.['hash']) });
      await insert(member, { email: `${long}b` });
      expect(await write(insertOf(member, { email: `${long.toLowerCase()}A` }))).toEqual(clash(['email'], longest));
      await write({ op: 'delete', table: 'member', id: first, time: '' });
      await insert(member, { email: 'zoe.müller@example.com' });
    });

    if (engine.name === 'PostgreSQL') {
      test('texts that are too long for the index name it', async () => {
        const company = Array.from({ length: 200 }, () => newId('text').id).join('');
        await expect(insert(member, { company, code: 1 })).rejects.toThrow(
          'The texts in the index member_company_code_unique are too long: it holds about 2,700 bytes.',
        );
      });
    }

    test('decimals are compared as numbers', async () => {
      const first = await insert(member, { fee: '9999999999999999.98' });
      const second = await insert(member, { fee: '9999999999999999.99' });
      expect(await write(insertOf(member, { fee: '9999999999999999.98' }))).toEqual(clash(['fee'], first));
      expect(await write(updateOf('member', second, { fee: '9999999999999999.98' }))).toEqual(clash(['fee'], first));
    });

    test('an update may repeat its own values, and not those of others', async () => {
      const first = await insert(member, { card: 'a', company: 'x', code: 1, email: 'a@x' });
      const second = await insert(member, { card: 'b', company: 'x', code: 2 });
      const own = { card: 'a', company: 'x', code: 1, email: 'A@x' };
      expect(await write(updateOf('member', first, own))).toMatchObject({ outcome: 'written' });
      expect(await write(updateOf('member', second, { card: 'a' }))).toEqual(clash(['card'], first));
      // The company is the one that is stored.
      expect(await write(updateOf('member', second, { code: 1 }))).toEqual(clash(['company', 'code'], first));
      expect(await write(updateOf('member', second, { code: 1, company: null }))).toMatchObject({ outcome: 'written' });
      expect(await write(updateOf('member', second, { company: 'x' }))).toEqual(clash(['company', 'code'], first));
      expect(await write(updateOf('member', 'member_0', { card: 'a' }))).toEqual({
        outcome: 'not_found',
        id: 'member_0',
      });
    });

    test('a transition clashes as an update does', async () => {
      const [barred, open] = [await insert(member, { card: 'barred' }), await insert(member, { card: 'open' })];
      const move = {
        op: 'transition',
        table: 'member',
        name: 'bar',
        field: 'card',
        from: ['open'],
        to: 'barred',
        time,
      } as const;
      expect(await write({ ...move, id: open })).toEqual(clash(['card'], barred));
      expect(await write({ ...move, id: barred })).toEqual({ outcome: 'wrong_state', state: 'barred' });
    });

    test('a line item is compared with those of its parent, also one that moves there', async () => {
      const [one, two] = [await insert(member, {}), await insert(member, {})];
      const first = await insert(seat, { member_id: one, event: 'e' });
      expect(await write(insertOf(seat, { member_id: one, event: 'e' }))).toEqual(clash(['member_id', 'event'], first));
      const second = await insert(seat, { member_id: two, event: 'e' });
      expect(await write(updateOf('seat', second, { member_id: one }))).toEqual(clash(['member_id', 'event'], first));
      expect(await write(updateOf('seat', second, { member_id: one, event: 'f' }))).toMatchObject({
        outcome: 'written',
      });
    });

    test('a batch clashes with itself and with others, and is refused as a whole', async () => {
      const first = await insert(member, { card: 'a' });
      const own = [insertOf(member, { card: 'b' }), insertOf(member, {}), insertOf(member, { card: 'b' })];
      expect(await batch(...own)).toEqual({
        outcome: 'refused',
        at: 2,
        reason: { outcome: 'not_unique', fields: ['card'] },
      });
      const stored = { outcome: 'refused', at: 1, reason: clash(['card'], first) };
      expect(await batch(insertOf(member, { card: 'b' }), insertOf(member, { card: 'a' }))).toEqual(stored);
      expect(await batch(insertOf(member, { card: 'b' }), updateOf('member', first, { card: 'b' }))).toEqual({
        outcome: 'refused',
        at: 1,
        reason: { outcome: 'not_unique', fields: ['card'] },
      });
      // The first operation clashes with a stored record, and has a value of the second, which is not done.
      const other = await insert(member, { company: 'x', code: 9 });
      const both = [insertOf(member, { card: 'z', company: 'x', code: 9 }), insertOf(member, { card: 'z' })];
      expect(await batch(...both)).toEqual({ outcome: 'refused', at: 0, reason: clash(['company', 'code'], other) });
      // The clock of the process that has stored it is ahead.
      const late = await insert(member, { id: 'member_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', fee: '1.00' });
      expect(await batch(insertOf(member, { card: 'z', fee: '1.00' }), insertOf(member, { card: 'z' }))).toEqual({
        outcome: 'refused',
        at: 0,
        reason: clash(['fee'], late),
      });
      const swapped = [updateOf('member', first, { card: 'c' }), insertOf(member, { card: 'a' })];
      expect(await batch(...swapped)).toMatchObject({ outcome: 'done' });
      const freed = [{ op: 'delete', table: 'member', id: first, time: '' } as const, insertOf(member, { card: 'c' })];
      expect(await batch(...freed)).toMatchObject({ outcome: 'done' });
    });

    test('100 writes of one value at once, on three servers: one is stored, and no other write is disturbed', async () => {
      while (stores.length < 3) stores.push(await database.open(tables));
      const all = (writes: readonly SingleWrite[]): Promise<WriteResult[]> =>
        Promise.all(writes.map((one, n) => (stores[n % 3] as MainStore).write(one)));
      const inserts = times100((n) => insertOf(member, n % 10 === 9 ? {} : { card: 'a', email: n % 2 ? 'x' : 'X' }));
      const results = await all(inserts);
      const others = inserts.flatMap((one, n) => (n % 10 === 9 ? [] : [[idOf(one), results[n]] as const]));
      const winners = others.filter(([, result]) => result?.outcome === 'written').map(([winner]) => winner);
      expect(winners).toHaveLength(1);
      const lost = others.filter(([winner]) => winner !== winners[0]).map(([, result]) => result);
      expect(lost).toEqual(lost.map(() => clash(['card'], winners[0] as string)));
      const plain = results.filter((_, n) => n % 10 === 9);
      expect(plain.map(({ outcome }) => outcome)).toEqual(plain.map(() => 'written'));

      const created = await Promise.all(times100(() => insert(member, {})));
      const updates = await all(created.map((one) => updateOf('member', one, { email: 'b' })));
      const winner = created.find((_, n) => updates[n]?.outcome === 'written');
      expect(updates.filter(({ outcome }) => outcome === 'written')).toHaveLength(1);
      expect(updates.filter(({ outcome }) => outcome !== 'written')).toEqual(
        Array.from({ length: 99 }, () => clash(['email'], winner as string)),
      );
    });

    test('batches that store the same values in another order: each value is stored once', async () => {
      while (stores.length < 3) stores.push(await database.open(tables));
      const cards = ['a', 'b', 'c', 'd'];
      const batches = Array.from({ length: 12 }, (_, n) => {
        const order = n % 2 ? cards : cards.toReversed();
        const writes = order.map((card) => insertOf(member, { card }));
        const asked = stores[n % 3] as MainStore;
        return untilAvailable(() => asked.write({ op: 'batch', table: 'member', writes, isTrial: false }));
      });
      const ends = (await Promise.all(batches)).map(({ outcome }) => outcome);
      expect(ends.filter((end) => end === 'done')).toHaveLength(1);
      expect(ends.filter((end) => end === 'refused')).toHaveLength(11);
      const rows = await database.query('select "card" from "member" order by "card"');
      expect(rows.map(({ card }) => card)).toEqual(cards);
    });

    test('organizations are not compared', async () => {
      await insert(member, { card: 'a', email: 'a@x' });
      const other = (stores[0] as MainStore).of(7);
      const stored = insertOf(member, { card: 'a', email: 'A@x' });
      expect(await other.write(stored)).toMatchObject({ outcome: 'written' });
      expect(await other.write(insertOf(member, { card: 'a' }))).toEqual(clash(['card'], idOf(stored)));
    });
  });
}
