import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { busyClient, noOutcome, type Outcome, requestText } from '../support/load.ts';
import { longRounds } from '../support/seed.ts';
import { startServer } from '../support/server.ts';

const competitors = '/api/crm/competitor';
const attachments = '/api/files/attachment';
const megabytes = 10;

/**
 * Stops a server under the load of busy clients, a few of which download 10 MiB each time.
 *
 * @param answers those after which it is stopped: after the first, most clients still connect
 * @returns what became of it
 */
async function stopUnderLoad(
  count: number,
  env: Record<string, string>,
  answers: number,
): Promise<Outcome & { codes: unknown[] }> {
  const server = await startServer({ alone: true, env });
  const outcome = { ...noOutcome(), codes: [] as unknown[] };
  try {
    const made = await server.request('POST', competitors, { competitor_name: 'Acme' });
    const data = 'x'.repeat(megabytes * 1_048_576);
    const large = await server.request('POST', attachments, { order_id: 'o', data });
    const record = `${competitors}/${(made.body as { id: string }).id}`;
    const requests = [
      requestText('GET', record),
      requestText('POST', competitors, '{"competitor_name":"Busy"}'),
      requestText('GET', `${competitors}?limit=100`),
    ];
    const download = requestText('GET', `${attachments}/${(large.body as { id: string }).id}`);
    for (let stop = 0; stop < count; stop++) {
      const { port } = server;
      const clients = Array.from({ length: 32 }, (_, client) => {
        let n = client;
        return busyClient(port, outcome, () => (client < 2 ? download : (requests[n++ % requests.length] as string)));
      });
      const enough = outcome.answered + answers;
      while (outcome.answered < enough) await pause(5);
      await pause(Math.random() * 50);
      const ended = once(server.process, 'exit');
      server.process.kill('SIGTERM');
      outcome.codes.push(...(await ended).slice(0, 1));
      await Promise.all(clients);
      await server.start();
    }
  } finally {
    await server.close();
  }
  return outcome;
}

test.each([
  ['one process', longRounds(3, 50), {}, 300],
  ['two processes', longRounds(2, 20), { WORKERS: '2' }, 300],
  ['two processes that have just started', longRounds(3, 40), { WORKERS: '2' }, 1],
])(
  '%s, stopped under load: no request that was sent is lost, no answer is cut',
  async (_, count, env, answers) => {
    const { answered, lost, cut, failed, codes } = await stopUnderLoad(count, env, answers);
    console.info(
      `${count} stops: ${answered} answered, ${lost.length} lost, ${cut.length} cut, ${failed.length} failed`,
    );
    expect({ lost, cut, failed }).toEqual({ lost: [], cut: [], failed: [] });
    expect(codes).toEqual(Array.from({ length: count }, () => 0));
  },
  1_200_000,
);
