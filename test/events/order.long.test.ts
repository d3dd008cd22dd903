import { Client } from 'pg';
import { beforeEach, expect, test, vi } from 'vitest';

import type { Table } from '../../runtime/kernel/model/table.ts';
import { createRecord, type PreparedWrite, updateRecord } from '../../runtime/kernel/records/prepare.ts';
import type { Records } from '../../runtime/kernel/records/store.ts';
import type { SingleWrite } from '../../runtime/kernel/records/write.ts';
import { eventPages } from '../../runtime/features/trail/events.ts';
import { service } from '../service/generated/app.ts';
import { citus, describeEngine, type Engine, postgres, type TestDatabase } from '../support/databases.ts';
import { Random } from '../support/random.ts';
import { longRounds, repeatable, seed } from '../support/seed.ts';
import type { Event } from './trail.ts';

const tableOf = (name: string): Table => service.tables.find(({ path }) => path === name) as Table;
const [order, competitor] = [tableOf('sales/order'), tableOf('crm/competitor')];

beforeEach(repeatable);

/** Numbers events as they are written, as a sequence does. */
const bySequence = `
  create sequence _numbers;
  create function _number() returns trigger language plpgsql as
  'begin new.number = nextval(''_numbers''); return new; end';
  create trigger _number before insert on _event for each row execute function _number()`;

const bodies: Readonly<Record<string, object>> = {
  [order.name]: { ordered_on: '2026-01-01', company: 'Acme', currency: 'EUR' },
  [competitor.name]: { competitor_name: 'x' },
};

const create = async (records: Records, table: Table): Promise<PreparedWrite> =>
  createRecord(records, table, bodies[table.name] as never);

/** Reads events page by page until there are no more, after the writers have ended. @param found what it has read */
async function read(records: Records, found: Event[], isOver: () => boolean, random: Random): Promise<void> {
  for (;;) {
    // The last page has those that were written before it was asked for.
    const isLast = isOver();
    const page = await records.ask(eventPages, { limit: 1 + random.below(30), after: found.at(-1)?.number ?? 0 });
    found.push(...page.events.map((json) => JSON.parse(json) as Event));
    if (isLast && !page.hasMore) return;
  }
}

/** A connection that holds up whoever creates orders, after their events are written. */
async function holdUp(
  { name }: Engine,
  database: TestDatabase,
): Promise<AsyncDisposable & Record<'hold' | 'release', () => Promise<void>>> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  // One lock for each shard: a row counter is the last row that a write changes.
  await client.query(
    `insert into _row_counter select 1, '${order.name}', '', generate_series(0, 63), 0 on conflict do nothing`,
  );
  const blocked =
    name === 'Citus'
      ? 'select 1 from citus_lock_waits'
      : 'select 1 from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))';
  return {
    async hold() {
      await client.query(
        `begin; select 1 from _row_counter where "_organization" = 1 and "table" = '${order.name}' for update`,
      );
    },
    async release() {
      await vi.waitUntil(async () => (await client.query(blocked)).rows.length > 0, { timeout: 20_000, interval: 5 });
      await client.query('commit');
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** The events that each reader has found, and the number of all events. */
interface FoundEvents {
  readonly found: Event[][];
  readonly written: number;
}

/**
 * Has writers write over two servers, some of them held up between their write and their commit, while readers page through the
 * events.
 *
 * @param rounds of writes
 */
async function writeAndRead(engine: Engine, database: TestDatabase, rounds: number): Promise<FoundEvents> {
  const random = new Random(seed);
  await using first = await database.open(service.tables);
  await using second = await database.open(service.tables);
  await using slow = await holdUp(engine, database);
  const stores = [first, second, first, second];
  let isOver = false;
  const found: Event[][] = stores.map(() => []);
  const readers = stores.map((store, n) => read(store, found[n] as Event[], () => isOver, random));
  const ids: string[] = [];
  const write = async (records: Records): Promise<void> => {
    for (let n = 0; ; n++) {
      if (isOver) return;
      const writes: SingleWrite[] = [];
      const size = Number(random.weighted({ 1: 6, 5: 2, 20: 1 }));
      while (writes.length < size) writes.push((await create(records, competitor)).write);
      const own = (await create(records, competitor)) as PreparedWrite & { id: string };
      const one = random.chance(0.5) ? random.of([own.id, ...ids.slice(-5)]) : own.id;
      writes.push(own.write, updateRecord(competitor, one, { website: `https://example.com/${own.id}/${n}` }).write);
      const result = await records.write({ op: 'batch', table: competitor.name, writes, isTrial: false });
      expect(result.outcome).toBe('done');
      ids.push(own.id);
    }
  };
  const writers = Array.from({ length: 8 }, (_, n) => write(stores[n % 4] as Records));
  for (let round = 0; round < rounds; round++) {
    await slow.hold();
    const store = stores[round % 4] as Records;
    const waiting = store.write((await create(store, order)).write);
    const before = found.map((events) => events.length);
    const goOn = (): boolean => found.every((events, n) => events.length > (before[n] as number) + 30);
    await vi.waitUntil(goOn, { timeout: 60_000, interval: 5 });
    await slow.release();
    await waiting;
  }
  isOver = true;
  await Promise.all(writers);
  await Promise.all(readers);
  const [{ count }] = (await database.query('select count(*) as count from _event')) as [{ count: string }];
  return { found, written: Number(count) };
}

for (const engine of [postgres, citus]) {
  describeEngine(engine, 'events that are read while they are written', () => {
    test('are found once each, in order, and those of a record in the order of its versions', async () => {
      await using database = await engine.create();
      const { found, written } = await writeAndRead(engine, database, longRounds(4, 20));
      for (const events of found) {
        expect(events.map(({ number }) => number)).toEqual(Array.from({ length: written }, (_, n) => n + 1));
        expect(events).toEqual(found[0]);
        for (const own of Map.groupBy(events, ({ record }) => record).values()) {
          expect(own.map(({ version }) => version)).toEqual(own.map((_, n) => n + 1));
        }
      }
    });
  });
}

describeEngine(postgres, 'events', () => {
  test('would be lost if a sequence numbered them', async () => {
    await using database = await postgres.create();
    await (await database.open(service.tables)).close();
    await database.execute(bySequence);
    const { found, written } = await writeAndRead(postgres, database, longRounds(2, 20));
    for (const events of found) expect(events.length).toBeLessThan(written);
  });
});
