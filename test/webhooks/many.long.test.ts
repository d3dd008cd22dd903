import { expect, test, vi } from 'vitest';

import { service } from '../service/generated/app.ts';
import { citus, describeConcurrently, engines } from '../support/databases.ts';
import { Random } from '../support/random.ts';
import { longRounds, seed } from '../support/seed.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { createWebhook } from './command.ts';
import { type Message, Receiver } from './receiver.ts';

const perBatch = 100;
const records = 400;
/** Each record is created, and then updated so many times. */
const rounds = longRounds(5, 250);
const arrival = { timeout: 1_000_000, interval: 200 };

/** Changes each record some times. */
async function update(server: TestServer, ids: readonly string[], from: number, to: number): Promise<void> {
  for (let round = from; round < to; round++) {
    for (let first = 0; first < ids.length; first += perBatch) {
      const operations = ids
        .slice(first, first + perBatch)
        .map((id) => ({ method: 'PATCH', path: `/api/crm/lead/${id}`, body: { lead_name: `Round ${round}` } }));
      const answer = await server.request('POST', '/api/batch', { operations });
      expect(answer.status, answer.text).toBe(200);
    }
  }
}

async function create(server: TestServer): Promise<string[]> {
  const ids: string[] = [];
  const operation = { method: 'POST', path: '/api/crm/lead', body: { lead_name: 'Ann' } };
  while (ids.length < records) {
    const { body } = await server.request('POST', '/api/batch', {
      operations: Array.from({ length: perBatch }, () => operation),
    });
    for (const { body: made } of (body as { results: { body: { id: string } }[] }).results) ids.push(made.id);
  }
  return ids;
}

/** The messages that came although one before them of their record had not been taken. */
function outOfOrder(messages: readonly Message[], numbers: ReadonlyMap<string, readonly number[]>): Message[] {
  const taken = new Map<string, number>();
  return messages.filter(({ data: { record, number }, status }) => {
    const place = numbers.get(record)?.indexOf(number) ?? -1;
    const count = taken.get(record) ?? 0;
    if (status === 204) taken.set(record, Math.max(count, place + 1));
    return place === -1 || place > count;
  });
}

for (const engine of [...engines, citus]) {
  describeConcurrently(engine, 'many events', () => {
    const limit = { timeout: 1_800_000 };
    test(
      'arrive, each, in the order of their record, at a receiver that fails, while senders are killed',
      limit,
      async () => {
        await using database = await engine.create(service.tables);
        await (await database.open(service.tables)).close();
        await using receiver = await Receiver.open();
        const random = new Random(seed);
        const failures = new Map<number, number>();
        // One in five, but none so often that all would wait for its pauses.
        receiver.respond = (number) => {
          const before = failures.get(number) ?? 0;
          if (before === 3 || !random.chance(0.2)) return 204;
          failures.set(number, before + 1);
          return 500;
        };
        await createWebhook(database.url, '--url', receiver.url, '--events', 'crm/lead');
        const env = { DATABASE_URL: database.url, WEBHOOK_PRIVATE: 'on', RATE_LIMIT: 'off' };
        const isHeld = async (): Promise<boolean> => (await database.query('select 1 from "_lease"')).length > 0;
        await using first = await startServer({ env });
        await vi.waitUntil(isHeld, arrival);
        await using second = await startServer({ env });
        const third = Math.floor(rounds / 3);

        const ids = await create(second);
        await update(second, ids, 1, third);
        await first.kill();
        await update(second, ids, third, 2 * third);
        const before = receiver.taken.length;
        await vi.waitUntil(() => receiver.taken.length > before, arrival);
        await receiver.stop();
        await first.start();
        await second.kill();
        await receiver.start();
        await update(first, ids, 2 * third, rounds);
        await receiver.stop();
        await receiver.start();

        const isLeft = 'select 1 from "_delivery" where "state" <> \'delivered\' limit 1';
        await vi.waitUntil(async () => (await database.query(isLeft)).length === 0, arrival);
        const queued = 'select count(*) as "count" from "_delivery"';
        await vi.waitUntil(
          async () => Number((await database.query(queued))[0]?.['count']) === records * rounds,
          arrival,
        );
        await vi.waitUntil(async () => (await database.query(isLeft)).length === 0, arrival);

        // PostgreSQL's events have numbers from the time when the sender has read them.
        const numbers = new Map<string, number[]>();
        for (const { record, number } of await database.query(
          'select "record", "number" from "_event" order by "number"',
        )) {
          numbers.getOrInsertComputed(String(record), () => []).push(Number(number));
        }

        expect([...numbers.values()].flat()).toHaveLength(records * rounds);
        const arrived = new Set(receiver.taken.map(({ data }) => data.number));
        expect([...numbers.values()].flat().filter((number) => !arrived.has(number))).toEqual([]);
        expect(outOfOrder(receiver.messages, numbers)).toEqual([]);
        expect(receiver.messages.length).toBeGreaterThan(arrived.size * 1.2);
        console.info(
          `${engine.name}: ${arrived.size} events in ${receiver.taken.length} messages that were taken, of ${receiver.messages.length}`,
        );
      },
    );
  });
}
