import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';

import { service } from '../service/generated/app.ts';
import { citus, describeEngine, engines } from '../support/databases.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { createWebhook } from './command.ts';
import { Receiver } from './receiver.ts';

const arrival = { timeout: 30_000, interval: 20 };

/** Creates records until it is told to stop. @returns their ids */
async function writeOn(server: TestServer, isOver: () => boolean): Promise<string[]> {
  const ids: string[] = [];
  while (!isOver()) {
    const { status, body } = await server.request('POST', '/api/crm/lead', { lead_name: 'Ann' });
    expect(status).toBe(201);
    ids.push((body as { id: string }).id);
    await pause(20);
  }
  return ids;
}

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'webhooks of several servers', () => {
    test.concurrent('are sent by one of them, and by another when it is killed, or stops', async () => {
      await using database = await engine.create(service.tables);
      await (await database.open(service.tables)).close();
      await using receiver = await Receiver.open();
      await createWebhook(database.url, '--url', receiver.url, '--events', 'crm/lead');
      const env = { DATABASE_URL: database.url, WEBHOOK_PRIVATE: 'on' };
      const holder = async (): Promise<unknown> =>
        (await database.query('select "holder" from "_lease"'))[0]?.['holder'];
      await using first = await startServer({ env });
      await vi.waitUntil(async () => (await holder()) !== undefined, arrival);
      // The main process of this one sends, which serves no requests.
      await using second = await startServer({ env: { ...env, WORKERS: '2' } });
      const former = await holder();
      let isOver = false;
      const writing = writeOn(second, () => isOver);
      await vi.waitUntil(() => receiver.messages.length > 20, arrival);
      expect(await holder()).toBe(former);
      await first.kill();
      const sent = receiver.messages.length;
      await vi.waitUntil(() => receiver.messages.length > sent + 20, arrival);
      expect(await holder()).not.toBe(former);
      isOver = true;
      const ids = await writing;
      await vi.waitUntil(() => new Set(receiver.taken.map(({ data }) => data.record)).size === ids.length, arrival);
      expect(new Set(receiver.taken.map(({ data }) => data.record))).toEqual(new Set(ids));
      // A server that stops leaves the lease to others, and sends nothing twice.
      await first.start();
      const taken = receiver.taken.length;
      await second.stop();
      expect((await first.request('POST', '/api/crm/lead', { lead_name: 'Last' })).status).toBe(201);
      await vi.waitUntil(() => receiver.taken.length > taken, arrival);
      expect(receiver.taken).toHaveLength(taken + 1);
    });

    test.concurrent('begin with the first webhook, while servers run', async () => {
      await using database = await engine.create(service.tables);
      await database.prepare?.(service.tables);
      await using server = await startServer({ env: { DATABASE_URL: database.url, WEBHOOK_PRIVATE: 'on' } });
      await using receiver = await Receiver.open();
      await createWebhook(database.url, '--url', receiver.url, '--events', 'crm/lead');
      expect((await server.request('POST', '/api/crm/lead', { lead_name: 'Ann' })).status).toBe(201);
      await vi.waitUntil(() => receiver.messages.length === 1, arrival);
    });
  });
}
