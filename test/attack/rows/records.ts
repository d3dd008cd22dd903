import { setTimeout as wait } from 'node:timers/promises';

import type { Attack } from '../attack.ts';
import { largeParents, manyLeads, largeParentId, orderLineId } from '../contents.ts';
import { lock } from '../lock.ts';
import { competitorPath, leadPath, orderLinePath, orderPath, quietKey, requestOf } from '../requests.ts';
import type { Target } from '../target.ts';

const clients = 32;

/** Keeps what creates of competitors need from them. */
async function whileLocked(target: Target): Promise<void> {
  const create = requestOf('POST', competitorPath, { body: '{"competitor_name":"x"}', last: true });
  let creates: Promise<void>;
  {
    await using _ = await lock(target.databaseUrl, 'competitor');
    creates = target.times(100, () => target.exchange(create));
    await wait(4_000);
  }
  await creates;
}

export const recordAttacks: readonly Attack[] = [
  {
    name: 'deep-offsets',
    what: `pages at random offsets of ${manyLeads} records, from ${clients} clients`,
    contents: 'many leads',
    run: (target) =>
      target.flood(clients, () => requestOf('GET', `${leadPath}?limit=1000&offset=${target.random.below(manyLeads)}`)),
  },
  {
    name: 'parent-deletes',
    what: `deletes of ${largeParents.count} parents with ${largeParents.items} items each, at once`,
    contents: 'large parents',
    run: (target) =>
      target.times(largeParents.count, (n) =>
        target.exchange(requestOf('DELETE', `${orderPath}/${largeParentId(n)}`, { last: true })),
      ),
  },
  {
    name: 'reorders',
    what: 'reorders of 1,000 items, from 8 clients',
    contents: 'large parents',
    async run(target) {
      const items = Array.from({ length: 1_000 }, (_, n) => ({ id: orderLineId(0, n), idx: 1_000 - n }));
      const bytes = [items, items.toReversed().map(({ id }, idx) => ({ id, idx }))].map((order) =>
        requestOf('POST', `${orderLinePath}/reorder`, { body: JSON.stringify({ items: order }) }),
      );
      await target.flood(8, () => target.random.of(bytes));
    },
  },
  {
    name: 'locked-database',
    what: 'another program keeps the database locked for 4 s while 100 creates wait',
    engine: 'SQLite',
    run: whileLocked,
  },
  {
    name: 'locked-table',
    what: 'somebody keeps one table locked for 4 s while 100 creates wait for it; others create elsewhere',
    engine: 'PostgreSQL',
    beside: requestOf('POST', leadPath, { key: quietKey, body: '{"lead_name":"x"}' }),
    run: whileLocked,
  },
  {
    name: 'locked-table-lists',
    what: 'the same, while others list long pages',
    engine: 'PostgreSQL',
    beside: requestOf('GET', `${leadPath}?limit=500`, { key: quietKey }),
    run: whileLocked,
  },
];
