import type { Attack } from '../attack.ts';
import { longRecordIds } from '../contents.ts';
import { batchPath, leadPath, quietKey, requestOf } from '../requests.ts';
import type { Target } from '../target.ts';

const clients = 64;

const withKey = (key: string): readonly string[] => [`Idempotency-Key: ${key}`];

const quietCreate = requestOf('POST', leadPath, {
  key: quietKey,
  body: '{"lead_name":"x"}',
  headers: withKey('quiet'),
});

/** Does a batch whose results have 20 MiB, and then has all clients send it again at once. */
async function replay(target: Target): Promise<void> {
  const path = `${leadPath}/${longRecordIds[0] as string}`;
  const operations = Array.from({ length: 20 }, () => ({ method: 'PATCH', path, body: { status: 'x' } }));
  const bytes = requestOf('POST', batchPath, {
    body: JSON.stringify({ operations }),
    headers: withKey('long'),
    last: true,
  });
  await target.exchange(bytes);
  await target.times(clients, () => target.exchange(bytes));
}

/** Sends batches of 100 creates: each with one key from all clients at once. */
async function shareKeys(target: Target): Promise<void> {
  const operations = Array.from({ length: 100 }, (_, n) => ({
    method: 'POST',
    path: leadPath,
    body: { lead_name: String(n) },
  }));
  let round = 0;
  await target.goOn(1, async () => {
    const headers = withKey(`shared-${round++}`);
    const bytes = requestOf('POST', batchPath, { body: JSON.stringify({ operations }), headers, last: true });
    await target.times(clients, () => target.exchange(bytes));
  });
}

/** Creates records, each with a key of its own. */
async function useKeys(target: Target): Promise<void> {
  let next = 0;
  await target.flood(clients, () =>
    requestOf('POST', leadPath, { body: '{"lead_name":"x"}', headers: withKey(`${'k'.repeat(240)}${next++}`) }),
  );
}

/** Keys of requests: `Idempotency-Key`. */
export const keyAttacks: readonly Attack[] = [
  {
    name: 'replays',
    what: `a batch with results of 20 MiB, sent again by ${clients} clients at once`,
    contents: 'long records',
    run: replay,
  },
  {
    name: 'shared-keys',
    what: `batches of 100 creates, each sent by ${clients} clients at once with one key`,
    beside: quietCreate,
    run: shareKeys,
  },
  {
    name: 'many-keys',
    what: `creates with a long key each, from ${clients} clients`,
    beside: quietCreate,
    run: useKeys,
  },
];
