import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { service } from '../../service/generated/app.ts';
import { citus, describeEngine, disconnected, engines, type TestDatabase } from '../../support/databases.ts';
import { Random } from '../../support/random.ts';
import { listAll, storedIn } from '../../support/records.ts';
import { longRounds, repeatable, seed } from '../../support/seed.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const path = '/api/sales/receipt';

/** On each engine. */
const kills = longRounds(4, 30);
const clients = 8;
const random = new Random(seed);

beforeEach(repeatable);

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'a server that is killed while it numbers records', () => {
    let database: TestDatabase;
    let server: TestServer;

    beforeAll(async () => {
      database = await engine.create(service.tables);
      server = await startServer({ env: { DATABASE_URL: database.serverUrl ?? database.url } });
    });
    afterAll(async () => {
      await server?.close();
      await database?.[Symbol.asyncDispose]();
    });

    test(`leaves no gap and gives no number twice, ${kills} times`, async () => {
      const answered = new Set<unknown>();
      let sent = 0;
      for (let round = 0; round < kills; round++) {
        /** Creates receipts, some of them in batches, until the server is gone. */
        const work = async (client: number): Promise<void> => {
          for (;;) {
            const body = { payer: String(sent++) };
            if (client % 2 === 0) {
              answered.add(storedIn(await server.request('POST', path, body), 201)['number']);
              continue;
            }
            const operations = [1, 2, 3].map(() => ({ method: 'POST', path, body }));
            const answer = await server.request('POST', '/api/batch', { operations });
            expect(answer.status, answer.text).toBe(200);
            for (const { body: made } of (answer.body as { results: { body: { number: string } }[] }).results)
              answered.add(made.number);
          }
        };
        const before = answered.size;
        const workers = Array.from({ length: clients }, (_, client) =>
          work(client).catch((error: unknown) => {
            const { code = '' } = error as NodeJS.ErrnoException;
            if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(code)) throw error;
          }),
        );
        // Once it is warm, at any moment of the next creates.
        while (answered.size < before + clients) await Promise.race([...workers, pause(1)]);
        await pause(random.below(40));
        await server.kill();
        await Promise.all(workers);
        await disconnected(engine, database);
        await server.start();
        const numbers = (await listAll(server, path)).map(({ number }) => String(number));
        const counts = numbers.map((number) => Number(number.slice('R-2026-'.length))).toSorted((a, b) => a - b);
        expect(counts).toEqual(Array.from(counts, (_, n) => n + 1));
        expect(answered.difference(new Set(numbers))).toEqual(new Set());
      }
      console.info(`${engine.name}: ${answered.size} numbers answered`);
    }, 3_600_000);
  });
}
