import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';

import { compile } from '../support/compiler.ts';
import { disconnected } from '../support/databases.ts';
import { Random } from '../support/random.ts';
import { listAll, type Stored } from '../support/records.ts';
import { longRounds, repeatable, seed } from '../support/seed.ts';
import { projectRoot } from '../support/server.ts';
import { countsOf, generateRental, onEachEngine } from './rental.ts';

const project = await generateRental();

/** On each engine. */
const kills = longRounds(8, 30);
const clients = 4;
const random = new Random(seed);

beforeEach(repeatable);

test('the compiler takes the hooks', async () => {
  const settings = { extends: join(projectRoot, 'tsconfig.json'), include: ['generated', 'spec'], exclude: [] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(settings));
  expect(await compile(project)).toBe('');
});

onEachEngine(project, 'a rental service that is killed', (rental, engine) => {
  test(`leaves no gap between invoices, and all that belongs together, ${kills} times`, async () => {
    const answered = new Set<unknown>();
    let day = Date.parse('2027-01-01');
    const tools = await Promise.all(Array.from({ length: clients }, () => rental.tool('10.00')));

    /** Rents a tool out for a day and has it paid in two parts, again and again. */
    async function work(tool: Stored): Promise<never> {
      for (;;) {
        const on = new Date((day += 86_400_000)).toISOString().slice(0, 10);
        const { id } = await rental.order([tool], on, on);
        await rental.done('POST', `rental/order/${id}/hand-out`);
        const { id: invoice_id, number } = await rental.done('POST', 'billing/invoice', { order_id: id });
        answered.add(number);
        for (const amount of ['1.90', '10.00']) await rental.done('POST', 'billing/payment', { invoice_id, amount });
        await rental.done('POST', `rental/order/${id}/return`);
      }
    }

    for (let round = 0; round < kills; round++) {
      const before = answered.size;
      const workers = tools.map((tool) =>
        work(tool).catch((error: unknown) => {
          const { code = '' } = error as NodeJS.ErrnoException;
          if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(code)) throw error;
        }),
      );
      // Once it is warm, at any moment.
      while (answered.size < before + clients) await Promise.race([...workers, pause(1)]);
      await pause(random.below(40));
      await rental.server.kill();
      await Promise.all(workers);
      await disconnected(engine, rental.database);
      await rental.server.start();

      const [items, orders, invoices, payments] = await Promise.all([
        listAll(rental.server, '/api/rental/item'),
        listAll(rental.server, '/api/rental/order', { status: 'handed_out' }),
        listAll(rental.server, '/api/billing/invoice'),
        listAll(rental.server, '/api/billing/payment'),
      ]);
      const counts = countsOf(invoices.map(({ number }) => number));
      expect(counts).toEqual(Array.from(counts, (_, n) => n + 1));
      expect(answered.difference(new Set(invoices.map(({ number }) => number)))).toEqual(new Set());
      const rented = items.filter(({ status }) => status === 'rented').map(({ id }) => id);
      expect(rented.toSorted()).toEqual(orders.flatMap(({ item_ids }) => item_ids as string[]).toSorted());
      for (const { id, paid, balance, status } of invoices) {
        const parts = payments.filter(({ invoice_id }) => invoice_id === id).map(({ amount }) => Number(amount));
        expect(Number(paid)).toBe(parts.reduce((sum, amount) => sum + amount, 0));
        expect(status).toBe(balance === '0.00' ? 'paid' : 'open');
      }
      for (const { id } of orders) await rental.done('POST', `rental/order/${id}/return`);
    }
    console.info(`${engine.name}: ${answered.size} numbers answered`);
  });
});
