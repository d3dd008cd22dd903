import { expect, test } from 'vitest';

import type { Event } from '../events/trail.ts';
import { service } from '../service/generated/app.ts';
import { describeEngine, engines } from '../support/databases.ts';
import { storedIn } from '../support/records.ts';
import { actorOf, type Answer, TestServer } from '../support/server.ts';

const [first, second, third] = ['a', 'b', 'c'].map((letter) => `${letter}-key-of-32-characters-and-a-few`) as [
  string,
  string,
  string,
];

for (const engine of engines) {
  describeEngine(engine, 'Keys of API_KEYS', () => {
    test('are told apart by themselves, not by their places', async () => {
      await using database = await engine.create(service.tables);
      await database.prepare?.(service.tables);
      const DATABASE_URL = database.serverUrl ?? database.url;

      /** Sends the same request with each key to a server with these keys. */
      const answersTo = async (...keys: string[]): Promise<readonly Answer[]> => {
        await using server = new TestServer({ env: { DATABASE_URL, API_KEYS: keys.join() } });
        await server.start();
        const answers: Answer[] = [];
        for (const key of keys) {
          const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'same' };
          answers.push(await server.request('POST', '/api/crm/competitor', { competitor_name: 'Acme' }, headers));
        }
        return answers;
      };

      const isReplay = ({ headers }: Answer): boolean => headers.has('idempotency-replayed');
      const before = await answersTo(first, second);
      const after = await answersTo(third, first);
      expect([...before, ...after].map(isReplay)).toEqual([false, false, false, true]);
      expect(after[1]?.text).toBe(before[0]?.text);

      await using server = new TestServer({ env: { DATABASE_URL } });
      await server.start();
      const { body } = await server.request('GET', '/api/events');
      const { data } = body as { readonly data: readonly Event[] };
      expect(data.map(({ actor, record }) => [actor, record])).toEqual([
        [actorOf(first), storedIn(before[0] as Answer, 201).id],
        [actorOf(second), storedIn(before[1] as Answer, 201).id],
        [actorOf(third), storedIn(after[0] as Answer, 201).id],
      ]);
    });
  });
}
