import { expect, test, vi } from 'vitest';

import { Library } from '../references/library.ts';
import { service } from '../service/generated/app.ts';
import { describeEngine, engines } from '../support/databases.ts';
import { startServer } from '../support/server.ts';
import { Receiver } from '../webhooks/receiver.ts';
import { Lending } from './lending.ts';

for (const engine of engines) {
  describeEngine(engine, 'hooks after writes of several processes', () => {
    test('are called by the main process, which serves no requests', async () => {
      await using database = await engine.create(service.tables);
      await using desk = await Receiver.open();
      await using server = await startServer({
        env: { DATABASE_URL: database.url, LENDING_DESK: desk.url, WORKERS: '2' },
      });
      const lending = new Lending(() => new Library(server));
      const patron = await lending.patron();
      await lending.done('POST', `checkout/${await lending.borrowed(patron)}/return`);
      await vi.waitUntil(() => desk.messages.length === 2, { timeout: 30_000, interval: 20 });
      expect(desk.messages.map(({ data }) => data)).toMatchObject([
        { operation: 'create', pid: server.process.pid },
        { operation: 'return', pid: server.process.pid },
      ]);
      await expect.poll(() => lending.done('GET', `patron/${patron}`)).toMatchObject({ returns: 1 });
      expect(await server.stop()).toBe(0);
    });
  });
}
