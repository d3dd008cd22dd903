import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';

import { Random } from '../support/random.ts';
import { longRounds, repeatable, seed } from '../support/seed.ts';
import type { Answer } from '../support/server.ts';
import { type Event, onEachTrail } from './trail.ts';

/** On each engine. */
const kills = longRounds(6, 100);
const clients = 8;

beforeEach(repeatable);

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly key: string;
}

/** A client that makes orders, each write with a key of its own. */
class Client {
  readonly name: string;
  /** The writes of all orders, by their operations. */
  readonly done: string[] = [];
  /** The ids of the requests that have done them, of those that were answered. */
  readonly answered: string[] = [];
  /** The request that has no answer. */
  underWay: Request | undefined;
  #next = 0;
  #id = '';

  constructor(name: string) {
    this.name = name;
  }

  /** The next request: an order is created, changed, submitted and deleted. */
  next(): Request {
    const key = `${this.name}-${this.#next}`;
    const path = `sales/order/${this.#id}`;
    const body = { company: this.name, ordered_on: '2026-01-01', currency: 'EUR' };
    const requests: Omit<Request, 'key'>[] = [
      { method: 'POST', path: 'sales/order', body },
      { method: 'PATCH', path, body: { notes: key } },
      { method: 'POST', path: `${path}/submit` },
      { method: 'DELETE', path },
    ];
    const request = requests[this.#next++ % requests.length] as Omit<Request, 'key'>;
    this.underWay = { ...request, key };
    return this.underWay;
  }

  /** Notes the answer to the request that is under way. */
  tell({ body, status, text, headers }: Answer): void {
    expect(status, text).toBeLessThan(300);
    this.#id = (body as { id: string }).id;
    if (!headers.has('idempotency-replayed')) this.answered.push(headers.get('x-request-id') as string);
    this.done.push(`${this.#id} ${['create', 'update', 'submit', 'delete'][this.done.length % 4]}`);
    this.underWay = undefined;
  }
}

onEachTrail('a server that is killed while it writes', (trail) => {
  test(`has an event of each write, and does none twice, ${kills} times`, async () => {
    const random = new Random(seed);
    const all = Array.from({ length: clients }, (_, n) => new Client(`client-${n}`));
    const [server] = trail.servers as [(typeof trail.servers)[number]];
    const send = ({ method, path, body, key }: Request): Promise<Answer> =>
      server.request(method, `/api/${path}`, body, { 'idempotency-key': key });
    let replayed = 0;
    let repeated = 0;
    for (let round = 0; round < kills; round++) {
      const work = async (client: Client): Promise<void> => {
        for (;;) client.tell(await send(client.next()));
      };
      const before = all.flatMap(({ done }) => done).length;
      const workers = all.map((client) =>
        work(client).catch((error: unknown) => {
          // The connection breaks; anything else is a wrong answer.
          const { code = '' } = error as NodeJS.ErrnoException;
          if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(code)) throw error;
        }),
      );
      const enough = before + 4 * clients + random.below(60);
      while (all.flatMap(({ done }) => done).length < enough) await Promise.race([...workers, pause(1)]);
      await server.kill();
      await Promise.all(workers);
      await server.start();
      // Several at once: clients that do not wait for long.
      for (const client of all) {
        const request = client.underWay as Request;
        const answers = await Promise.all([send(request), send(request), send(request)]);
        expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
        const first = answers.find(({ headers }) => !headers.has('idempotency-replayed'));
        if (first) repeated++;
        else replayed++;
        client.tell(first ?? (answers[0] as Answer));
      }
      const events = await trail.events();
      expect(events.map(({ number }) => number)).toEqual(events.map((_, n) => n + 1));
      const told = ({ record, operation }: Event): string => `${record} ${operation}`;
      const done = all.flatMap((client) => client.done);
      expect(events.map(told).toSorted()).toEqual(done.toSorted());
      for (const own of Map.groupBy(events, ({ record }) => record).values()) {
        expect(own.map(({ operation }) => operation)).toEqual(
          ['create', 'update', 'submit', 'delete'].slice(0, own.length),
        );
        expect(own.map(({ version }) => version)).toEqual(own.map((_, n) => n + 1));
      }
      const known = new Set(events.map(({ request_id: id }) => id));
      expect(all.flatMap(({ answered }) => answered).filter((id) => !known.has(id))).toEqual([]);
      expect(known.size).toBe(events.length);
    }
    console.info(`${trail.engine.name}: ${repeated} requests done at their retry, ${replayed} before`);
    expect(repeated).toBeGreaterThan(0);
  });
});
