import { expect, test } from 'vitest';

import { Clock } from '../support/clock.ts';
import { service } from '../service/generated/app.ts';
import { describeEngine, engines } from '../support/databases.ts';
import { create, list, type Stored, update } from '../support/records.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { Folder } from './command.ts';

const leads = '/api/crm/lead';
const day = 24 * 60 * 60 * 1_000;

const time = (record: Stored, field: 'created_at' | 'updated_at'): number => Date.parse(String(record[field]));

const createLead = (server: TestServer): Promise<Stored> => create(server, leads, { lead_name: 'Ann' });

const listed = async (server: TestServer): Promise<string[]> => (await list(server, leads)).data.map(({ id }) => id);

for (const engine of engines) {
  describeEngine(engine, 'a clock that was a day ahead and is right again', () => {
    test('before a start: what is new is listed first, and no time goes back', async () => {
      using folder = new Folder();
      await using database = await engine.create(service.tables);
      const clock = new Clock(folder.file('clock'));
      await using server = await startServer({ env: { ...clock.env, DATABASE_URL: database.url } });
      const before = await createLead(server);
      clock.setAhead(day);
      const early = await createLead(server);
      const touched = await update(server, leads, before.id, { city: 'Oslo' });
      expect(time(early, 'created_at')).toBeGreaterThan(Date.now() + day / 2);
      clock.setAhead(0);
      await server.restart();

      const after = [await createLead(server), await createLead(server)];
      expect(await listed(server)).toEqual([after[1]?.id, after[0]?.id, early.id, before.id]);
      for (const record of after) {
        const step = time(record, 'created_at') - time(early, 'created_at');
        expect(step).toBeGreaterThanOrEqual(0);
        expect(step).toBeLessThan(10);
        expect(record['updated_at']).toBe(record['created_at']);
      }
      const again = await update(server, leads, before.id, { city: 'Rome' });
      expect(time(again, 'updated_at')).toBeGreaterThanOrEqual(time(touched, 'updated_at'));
      expect(server.output).toContain(`The newest lead was created at ${String(early['created_at'])}`);

      clock.setAhead(2 * day);
      expect(time(await createLead(server), 'created_at')).toBeGreaterThan(Date.now() + 1.5 * day);
    });

    test('while two servers run: both continue after what one of them has made', async () => {
      using folder = new Folder();
      await using database = await engine.create(service.tables);
      const clock = new Clock(folder.file('clock'));
      const start = (): Promise<TestServer> => startServer({ env: { ...clock.env, DATABASE_URL: database.url } });
      const [one, other] = await Promise.all([start(), start()]);
      try {
        await createLead(other);
        clock.setAhead(day);
        await createLead(one);
        clock.setAhead(0);
        // It looks at what others have made once a second.
        await expect
          .poll(async () => (await createLead(other)).id === (await listed(one))[0], { timeout: 10_000 })
          .toBe(true);
      } finally {
        await Promise.all([one.close(), other.close()]);
      }
    });
  });
}
