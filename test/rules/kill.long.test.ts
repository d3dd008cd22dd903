import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';

import { onEachTrail } from '../events/trail.ts';
import { Random } from '../support/random.ts';
import { longRounds, repeatable, seed } from '../support/seed.ts';
import type { TestServer } from '../support/server.ts';

/** On each engine. */
const kills = longRounds(4, 50);
const clients = 8;

beforeEach(repeatable);

/** The claims whose computed fields are not those of their items, as the engine itself finds them in one moment. */
const wrongClaims = `
  select c."id", c."total", i."total" from "claim" c left join (
    select "claim_id", sum("amount") as "total", count(*) as "items", max("amount") as "largest"
    from "claim_item" group by "claim_id"
  ) i on i."claim_id" = c."id"
  where c."total" is distinct from coalesce(i."total", 0) or c."item_count" is distinct from coalesce(i."items", 0)
    or c."largest" is distinct from i."largest" or c."to_pay" is distinct from c."total" - coalesce(c."advance", 0)`;

/** Writes of claims and their items, which several clients make to the same ones. */
class Claims {
  readonly #random = new Random(seed);
  readonly #ids = { claim: [] as string[], 'claim-item': [] as string[] };
  /** How often each status came. */
  readonly statuses: Record<number, number> = {};
  done = 0;

  async write(server: TestServer): Promise<void> {
    const [method, path, body] = this.#next();
    const { status, body: record, text } = await server.request(method, `/api/${path}`, body);
    // The writers lock the same few claims: PostgreSQL may be too busy for one of them.
    if (status !== 503) expect(status, text).toBeLessThan(500);
    const { id } = record as { readonly id?: string };
    if (status === 201 && id !== undefined) this.#ids[path.slice('expenses/'.length) as 'claim'].push(id);
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    this.done++;
  }

  /** One of the latest records, so that many writes meet. */
  #id(name: 'claim' | 'claim-item'): string {
    const ids = this.#ids[name];
    return ids.at(-1 - this.#random.below(Math.min(ids.length, 6))) ?? 'none_0';
  }

  #next(): readonly [method: string, path: string, body?: object] {
    const random = this.#random;
    const [items, claims] = ['expenses/claim-item', 'expenses/claim'];
    const amount = `${random.below(200) - 20}.25`;
    const item = { claim_id: this.#id('claim'), amount };
    const one = `${items}/${this.#id('claim-item')}`;
    const operations = [
      { method: 'POST', path: `/api/${items}`, body: item },
      { method: 'POST', path: `/api/${items}`, body: { ...item, amount: '1.00' } },
      { method: 'PATCH', path: `/api/${one}`, body: { amount } },
    ];
    const kinds: readonly (readonly [weight: number, write: readonly [string, string, object?]])[] = [
      [1, ['POST', claims, { title: 'Rome', advance: random.chance(0.5) ? '10.00' : null }]],
      [5, ['POST', items, item]],
      [2, ['POST', 'batch', { operations }]],
      [3, ['PATCH', one, { amount }]],
      [2, ['PATCH', one, { claim_id: this.#id('claim') }]],
      [2, ['PATCH', `${claims}/${this.#id('claim')}`, { advance: `${random.below(50)}.00` }]],
      [2, ['DELETE', one]],
      [0.5, ['DELETE', `${claims}/${this.#id('claim')}`]],
      [1, ['POST', `${items}/reorder`, { items: [{ id: this.#id('claim-item'), idx: random.below(9) }] }]],
      [2, ['POST', `events/${random.below(this.done + 1)}/undo`]],
    ];
    const at = random.weighted(Object.fromEntries(kinds.map(([weight], i) => [String(i), weight])));
    return (kinds[Number(at)] as (typeof kinds)[number])[1];
  }
}

onEachTrail('a server that is killed while it writes line items', (trail) => {
  test(`leaves computed fields as the line items are, ${kills} times`, async () => {
    const claims = new Claims();
    for (let round = 0; round < kills; round++) {
      const { servers } = trail;
      const work = async (server: TestServer): Promise<void> => {
        for (;;) await claims.write(server);
      };
      const workers = Array.from({ length: clients }, (_, n) =>
        work(servers[n % servers.length] as TestServer).catch((error: unknown) => {
          // The connection breaks; anything else is a wrong answer.
          const { code = '' } = error as NodeJS.ErrnoException;
          if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(code)) throw error;
        }),
      );
      const enough = claims.done + 100;
      while (claims.done < enough) await Promise.race([...workers, pause(1)]);
      await Promise.all(servers.map((server) => server.kill()));
      await Promise.all(workers);
      for (const server of servers) await server.start();
      expect(await trail.database.query(wrongClaims)).toEqual([]);
    }
    const [{ items = 0 } = {}] = await trail.database.query('select count(*) as "items" from "claim_item"');
    console.info(`${trail.engine.name}: ${JSON.stringify(claims.statuses)}, ${items} items`);
    expect(Number(items)).toBeGreaterThan(0);
    expect(Object.keys(claims.statuses)).toEqual(expect.arrayContaining(['200', '201', '422']));
  });
});
