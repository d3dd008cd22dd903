import { beforeEach, expect, test } from 'vitest';

import type { SingleWrite, Write, WriteResult } from '../../runtime/kernel/records/write.ts';
import type { Event } from '../../runtime/features/trail/events.ts';
import { eventPages } from '../../runtime/features/trail/events.ts';
import { restore, reverse } from '../../runtime/features/undo/undo.ts';
import type { MainStore } from '../support/main-store.ts';
import { Random } from '../support/random.ts';
import { repeatable, seed } from '../support/seed.ts';
import { article, bill, fee, line, payer, tables } from './bills.ts';
import { batchOf, deleteOf, idOf, insertOf, onEachEngine, sendOf, updateOf } from './subject.ts';

const clients = 8;
/** All bills are read once in so many writes, and at the end; otherwise those that the last writes may have changed. */
const wholeEvery = 100 * clients;

/** The prefixes of ids. A record changes only with ones whose prefix is before its own: a bill with its lines and its payer. */
const prefixes = ['article', 'payer', 'fee', 'line', 'bill'];

/** The bills that writes may have changed, judged by the ids in the writes alone. */
class Touched {
  /** For each id those of later prefixes that a write has named with it, as of all bills that a line was ever moved to. */
  readonly #behind = new Map<string, Set<string>>();
  readonly #named = new Set<string>();

  add(write: SingleWrite): void {
    const ids = JSON.stringify(write).match(/(?:article|payer|fee|line|bill)_0\w+/g) ?? [];
    const rank = (id: string): number => prefixes.findIndex((prefix) => id.startsWith(`${prefix}_`));
    for (const id of ids) {
      this.#named.add(id);
      const behind = this.#behind.get(id) ?? new Set();
      this.#behind.set(id, behind);
      for (const other of ids) if (rank(other) > rank(id)) behind.add(other);
    }
  }

  /** The bills that the writes since the last call may change. */
  takeBills(): string[] {
    // A set goes on with what is added meanwhile.
    for (const id of this.#named) for (const other of this.#behind.get(id) ?? []) this.#named.add(other);
    const bills = [...this.#named].filter((id) => id.startsWith('bill_'));
    this.#named.clear();
    return bills;
  }
}

/** The ids of what writers have stored, of which some may be gone. */
class Writers {
  readonly #random: Random;
  readonly #ids: Record<string, string[]> = { bill: [], line: [], fee: [], article: [], payer: [] };
  readonly touched = new Touched();
  /** How often each outcome came. */
  readonly outcomes: Record<string, number> = {};

  constructor(random: Random) {
    this.#random = random;
  }

  /** Does a random write of any kind. */
  async write(store: MainStore): Promise<void> {
    const write = this.#random.chance(0.1) ? await this.#undo(store) : this.#next();
    if (!write) return;
    const writes = write.op === 'batch' ? write.writes : [write];
    for (const one of writes) this.touched.add(one);
    const result: WriteResult = await store.write(write);
    // Ids of records that were never stored would make most writes fail.
    const isStored = result.outcome === 'written' || result.outcome === 'done';
    for (const one of writes) if (isStored && one.op === 'insert') this.#ids[one.table]?.push(idOf(one));
    this.outcomes[result.outcome] = (this.outcomes[result.outcome] ?? 0) + 1;
  }

  #id(table: string): string {
    const ids = this.#ids[table] ?? [];
    // Lately created ones: many writers meet.
    return ids.at(-1 - this.#random.below(Math.min(ids.length, 12))) ?? 'none_0';
  }

  #money(): string {
    return `${this.#random.below(2_000)}.${this.#random.below(90) + 10}`;
  }

  #next(): Write {
    const random = this.#random;
    if (!random.chance(0.15)) return this.#single();
    return batchOf(...Array.from({ length: 1 + random.below(4) }, () => this.#single()));
  }

  #single(): SingleWrite {
    const random = this.#random;
    const spent_on = `2026-0${1 + random.below(9)}-01`;
    const article_id = random.chance(0.3) ? this.#id('article') : null;
    const amounts = { quantity: random.below(9) - 1, price: this.#money() };
    const kinds: readonly (readonly [weight: number, make: () => SingleWrite])[] = [
      [2, () => insertOf(bill, { discount: random.chance(0.5) ? '10.00' : null, payer_id: this.#named('payer') })],
      [
        6,
        () =>
          insertOf(line, {
            bill_id: this.#id('bill'),
            ...amounts,
            spent_on,
            weight: random.below(9) / 4,
            article_id: article_id === 'none_0' ? null : article_id,
          }),
      ],
      [1, () => insertOf(fee, { bill_id: this.#id('bill'), amount: String(random.below(99)) })],
      [1, () => insertOf(article, { status: random.chance(0.3) ? 'closed' : 'sold' })],
      [1, () => insertOf(payer)],
      [4, () => updateOf(line, this.#id('line'), random.chance(0.5) ? amounts : { notes: this.#money(), spent_on })],
      [3, () => updateOf(line, this.#id('line'), { bill_id: this.#id('bill') })],
      [3, () => updateOf(bill, this.#id('bill'), { discount: this.#money(), payer_id: this.#named('payer') })],
      [2, () => deleteOf(line, this.#id('line'))],
      [1, () => deleteOf(fee, this.#id('fee'))],
      [0.5, () => deleteOf(bill, this.#id('bill'))],
      [0.5, () => deleteOf(article, this.#id('article'))],
      [0.5, () => deleteOf(payer, this.#id('payer'))],
      [0.3, () => sendOf(this.#id('bill'))],
      [1, () => ({ op: 'reorder', table: 'line', items: [{ id: this.#id('line'), idx: random.below(9) }] })],
    ];
    const at = random.weighted(Object.fromEntries(kinds.map(([weight], i) => [String(i), weight])));
    return (kinds[Number(at)] as (typeof kinds)[number])[1]();
  }

  #named(table: string): string | null {
    const id = this.#random.chance(0.5) ? this.#id(table) : 'none_0';
    return id === 'none_0' ? null : id;
  }

  /** The undo of one of the last events of a record. */
  async #undo(store: MainStore): Promise<Write | undefined> {
    const table = this.#random.chance(0.5) ? bill : line;
    const { events } = await store.ask(eventPages, { record: this.#id(table.name), limit: 5, isDescending: true });
    const json = events[this.#random.below(Math.max(events.length, 1))];
    if (json === undefined) return undefined;
    const event = JSON.parse(json) as Event;
    return (event.operation === 'delete' ? restore(table, event) : reverse(table, event)).write;
  }
}

/** Expects that each bill is as its events say, one version after the other. */
async function expectTrail(store: MainStore): Promise<void> {
  const records = new Map<string, { version: number; record: Record<string, unknown> }>();
  for (let after = 0; ;) {
    const { events, hasMore } = await store.ask(eventPages, { limit: 1_000, after });
    for (const json of events) {
      const { number, record: id, version, operation, changes } = JSON.parse(json) as Event;
      after = number;
      const last = records.get(id);
      if (last) expect(version, id).toBe(last.version + 1);
      const values = Object.entries(changes).map(([name, [, value]]) => [name, value] as const);
      const record = { ...(operation === 'delete' ? {} : last?.record), ...Object.fromEntries(values) };
      records.set(id, { version, record });
    }
    if (!hasMore) break;
  }
  for (const [id, { version, record }] of records) {
    const table = tables.find(({ name }) => id.startsWith(`${name}_`));
    const stored = table && (await store.get(table.name, id));
    if (!stored) continue;
    expect(stored.version, id).toBe(version);
    const shown = Object.entries(JSON.parse(String(stored.json)) as object).filter(([, value]) => value !== null);
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)),
    );
  }
}

/** Tests that random writes, by several writers at once, leave computed fields true after each. @param writes on each engine */
export const testWriters = (writes: number): void =>
  onEachEngine('random writes of line items', (subject) => {
    beforeEach(repeatable);
    test(`${clients} writers at once leave computed fields as their line items are`, async () => {
      const writers = new Writers(new Random(seed));
      await using other = await subject.database.open(tables);
      const stores = [subject.store, other];
      for (let done = 0; done < writes; done += clients) {
        await Promise.all(
          Array.from({ length: clients }, (_, n) => writers.write(stores[n % 2] as (typeof stores)[number])),
        );
        const isWhole = (done + clients) % wholeEvery === 0;
        // Without autovacuum, PostgreSQL would go on with plans for empty tables.
        if (isWhole && subject.engine.name !== 'SQLite') await subject.database.execute('analyze');
        const bills = writers.touched.takeBills();
        if (isWhole || bills.length > 0) await subject.expectTrue(isWhole ? undefined : bills);
      }
      await subject.expectTrue();
      expect(Object.keys(writers.outcomes)).toEqual(
        expect.arrayContaining(['written', 'deleted', 'done', 'rule_violated']),
      );
      await expectTrail(subject.store);
    });
  });
