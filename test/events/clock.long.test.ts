import { join } from 'node:path';
import { expect, test } from 'vitest';

import { service } from '../service/generated/app.ts';
import { Clock } from '../support/clock.ts';
import { describeConcurrently, engines } from '../support/databases.ts';
import { create } from '../support/records.ts';
import { startServer } from '../support/server.ts';

const day = 24 * 60 * 60 * 1000;
/** A server looks for old events within a minute of its start. */
const firstLook = 60_000; // milliseconds

for (const engine of engines) {
  describeConcurrently(engine, 'EVENTS_KEEP', () => {
    test('removes events also of a server that is started again and again, and none while its clock may be wrong', async () => {
      const clock = new Clock(join(process.env['TMPDIR'] ?? '/tmp', `clock-${process.pid}-${engine.name}`));
      const env = { ...clock.env, EVENTS_KEEP: '1', LOG_LEVEL: 'warn' };
      await using server = await startServer({ env, database: () => engine.create(service.tables) });
      const write = (): Promise<unknown> => create(server, '/api/crm/lead', { lead_name: 'a' });
      const numbers = async (): Promise<number[]> => {
        const { body } = await server.request('GET', '/api/events');
        return (body as { data: { number: number }[] }).data.map(({ number }) => number);
      };
      const until = async (isSo: () => Promise<boolean> | boolean): Promise<void> => {
        const end = performance.now() + 2 * firstLook;
        while (!(await isSo())) {
          if (performance.now() > end) throw new Error(`Nothing has happened. The server said:\n${server.output}`);
          await new Promise((resolve) => setTimeout(resolve, 500));
        }
      };
      for (let n = 0; n < 3; n++) await write();
      clock.setAhead(401 * day);
      await write();
      await server.restart();
      await until(() => server.output.includes('The clock jumped by over a day'));
      expect(await numbers()).toEqual([1, 2, 3, 4]);
      // The clock was right: events of another day follow.
      clock.setAhead(402.1 * day);
      await write();
      await server.restart();
      await until(async () => (await numbers())[0] === 4);
      expect(await numbers()).toEqual([4, 5]);
    });
  });
}
