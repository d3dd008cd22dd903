import { setTimeout as wait } from 'node:timers/promises';

import type { Attack } from '../attack.ts';
import { leadOf } from '../../bench/leads.ts';
import { create, largeParents, manyLeads, largeParentId, orderLineId } from '../contents.ts';
import { lock } from '../lock.ts';
import { batchPath, competitorPath, leadPath, orderLinePath, orderPath, quietKey, requestOf } from '../requests.ts';
import type { Target } from '../target.ts';

const clients = 32;

/** A list that SQLite counts and sorts, of a quiet client. */
const deepList = requestOf('GET', `${leadPath}?limit=1&offset=${manyLeads / 2}`, { key: quietKey });

const quietCreate = requestOf('POST', leadPath, { key: quietKey, body: '{"lead_name":"x"}' });

/** Reorders of the first of 50,000 items, there and back again. */
function floodOfReorders(target: Target, clientsOfReorders: number, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, n) => ({ id: orderLineId(0, n), idx: count - n }));
  const bytes = [items, items.toReversed().map(({ id }, idx) => ({ id, idx }))].map((order) =>
    requestOf('POST', `${orderLinePath}/reorder`, { body: JSON.stringify({ items: order }) }),
  );
  return target.flood(clientsOfReorders, () => target.random.of(bytes));
}

/** Keeps what creates of competitors need from them. */
async function whileLocked(target: Target): Promise<void> {
  const bytes = requestOf('POST', competitorPath, { body: '{"competitor_name":"x"}', last: true });
  let creates: Promise<void>;
  {
    await using _ = await lock(target.databaseUrl, 'competitor');
    creates = target.times(100, () => target.exchange(bytes));
    await wait(4_000);
  }
  await creates;
}

/** Has 64 clients change two records in one batch, in either order, while another key changes one of them. */
async function crossBatches(target: Target): Promise<void> {
  const [first, second] = await Promise.all([0, 1].map(() => create(target.port, leadPath, leadOf(0))));
  const paths = [`${leadPath}/${first}`, `${leadPath}/${second}`];
  const batchOf = (all: readonly string[]): Buffer => {
    const operations = all.map((path) => ({
      method: 'PATCH',
      path,
      body: { lead_name: String(target.random.below(1e9)) },
    }));
    return requestOf('POST', batchPath, { body: JSON.stringify({ operations }), last: true });
  };
  let left = 600;
  const over = new AbortController();
  const changes = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const body = JSON.stringify({ lead_name: String(target.random.below(1e9)) });
      await target.exchange(requestOf('PATCH', paths[0] ?? '', { key: quietKey, body, last: true }));
      await wait(20);
    }
  };
  const batches = target.times(64, async () => {
    while (left-- > 0) await target.exchange(batchOf(target.random.below(2) ? paths : paths.toReversed()));
  });
  await Promise.all([batches.finally(() => over.abort()), changes()]);
  if ([...target.statuses.keys()].some((status) => status !== 200)) target.violations.add('a change failed');
}

export const recordAttacks: readonly Attack[] = [
  {
    name: 'crossing-batches',
    what: '600 batches that change two records in either order, from 64 clients, while another key changes one of them',
    run: crossBatches,
  },
  {
    name: 'deep-offsets',
    what: `pages at random offsets of ${manyLeads} records, from ${clients} clients`,
    contents: 'many leads',
    run: (target) =>
      target.flood(clients, () => requestOf('GET', `${leadPath}?limit=1000&offset=${target.random.below(manyLeads)}`)),
  },
  {
    name: 'absent-values',
    what: `filters and sorts that find none of ${manyLeads} records, from ${clients} clients`,
    contents: 'many leads',
    run: (target) =>
      target.flood(clients, () =>
        requestOf('GET', `${leadPath}?lead_owner[in]=none${target.random.below(100)},zz&sort=-annual_revenue`),
      ),
  },
  {
    name: 'queued-lists',
    what: `lists that are counted, from ${2 * clients} clients of one key, while another key asks for one`,
    contents: 'many leads',
    engine: 'SQLite',
    beside: deepList,
    run: (target) =>
      target.flood(2 * clients, () =>
        requestOf('GET', `${leadPath}?lead_owner[ne]=x&offset=${target.random.below(manyLeads)}`),
      ),
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
    beside: quietCreate,
    run: (target) => floodOfReorders(target, 8, 1_000),
  },
  {
    name: 'short-reorders',
    what: `reorders of 20 of ${largeParents.items} items, from 8 clients`,
    contents: 'large parents',
    beside: quietCreate,
    run: (target) => floodOfReorders(target, 8, 20),
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
    beside: quietCreate,
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
