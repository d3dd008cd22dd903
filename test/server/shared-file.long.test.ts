import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import { create, list, listAll, retrieve } from '../support/records.ts';
import { minimalBody } from '../support/samples.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { lineItemNamed, recordNamed } from '../service/resources.ts';

const order = recordNamed('order');
const item = lineItemNamed('order_line');

/** Two servers on one file. */
async function startPair(): Promise<[TestServer, TestServer]> {
  const first = await startServer();
  try {
    return [first, await startServer({ folder: first.folder })];
  } catch (error) {
    await first.close();
    throw error;
  }
}

describe.concurrent('an SQLite file with several users', () => {
  test('of two servers on one file, one is killed while both write: nothing is lost, and the other goes on', async () => {
    const [survivor, victim] = await startPair();
    try {
      const parent = await create(survivor, order.path, minimalBody(order));
      const told = { records: new Set([parent.id]), items: new Set<string>() };
      const enough = new AbortController();
      const answered = { count: 0 };
      const writeOn = async (server: TestServer): Promise<void> => {
        while (!enough.signal.aborted) {
          const { id } = await create(server, order.path, minimalBody(order));
          told.records.add(id);
          told.items.add((await create(server, item.path, minimalBody(item, parent.id))).id);
          answered.count += 1;
        }
      };
      const answers = async (more: number): Promise<void> => {
        for (const wanted = answered.count + more; answered.count < wanted;) await pause(5);
      };
      const survivors = Array.from({ length: 4 }, () => writeOn(survivor));
      const victims = Array.from({ length: 4 }, () => writeOn(victim));
      const ended = Promise.allSettled(victims);
      await answers(40);
      await victim.kill();
      await answers(40);
      enough.abort();
      // A write that the survivor has answered with anything but 201 fails here.
      await Promise.all(survivors);
      expect((await ended).map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'rejected'));

      await victim.start();
      for (const server of [survivor, victim]) {
        const records = (await listAll(server, order.path)).map(({ id }) => id);
        expect(told.records.difference(new Set(records)).size).toBe(0);
        // Unanswered writes of the other process may be there, or not.
        expect(records.length - told.records.size).toBeLessThanOrEqual(4);
        expect((await list(server, order.path, { limit: 1 })).total).toBe(records.length);
        const items = (await listAll(server, item.path, { parent_id: parent.id })).map(({ id }) => id);
        expect(told.items.difference(new Set(items)).size).toBe(0);
        expect((await list(server, item.path, { parent_id: parent.id, limit: 1 })).total).toBe(items.length);
      }
      for (const [writer, reader] of [
        [survivor, victim],
        [victim, survivor],
      ] as const) {
        const made = await create(writer, order.path, minimalBody(order));
        expect(await retrieve(reader, order.path, made.id)).toEqual(made);
      }
    } finally {
      await victim.close();
      await survivor.close();
    }
  }, 60_000);

  test('while another program holds the lock, reads are answered, and the write after it', async () => {
    const server = await startServer();
    const other = new DatabaseSync(join(server.folder, 'records.db'));
    try {
      const made = await create(server, order.path, minimalBody(order));
      other.exec('begin immediate');
      let isLocked = true;
      const write = server.request('POST', order.path, minimalBody(order)).then(({ status }) => ({ status, isLocked }));
      for (let n = 0; n < 20; n++) {
        await retrieve(server, order.path, made.id);
        await pause(5);
      }
      isLocked = false;
      other.exec('rollback');
      expect(await write).toEqual({ status: 201, isLocked: false });
      expect((await list(server, order.path)).total).toBe(2);
    } finally {
      other.close();
      await server.close();
    }
  });

  test('while another program does not let go of the lock, writes are unavailable and reads are not', async () => {
    const server = await startServer();
    const other = new DatabaseSync(join(server.folder, 'records.db'));
    try {
      other.exec('begin immediate');
      const answer = await server.request('POST', order.path, minimalBody(order));
      expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      expect((await list(server, order.path)).total).toBe(0);
      other.exec('rollback');
      await create(server, order.path, minimalBody(order));
    } finally {
      other.close();
      await server.close();
    }
  });
});
