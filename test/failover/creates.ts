/**
 * Creates records until it is interrupted (Ctrl-C), through whatever is done to the database meanwhile; then looks for each one
 * that was acknowledged, and says how many are missing and for how long there was no answer.
 *
 *     API_KEY=… node test/failover/creates.ts http://127.0.0.1:3000/api/crm/competitor '{"competitor_name": "failover"}'
 */
import { setTimeout as pause } from 'node:timers/promises';

/** Requests at once. */
const clients = 16;

/** Milliseconds after which a gap between two acknowledged creates is printed. */
const shownGap = 1_000;

const [url, body] = process.argv.slice(2);
const key = process.env['API_KEY'];
if (!url || !body || !key) {
  console.error('Usage: API_KEY=… node test/failover/creates.ts URL-OF-A-LIST BODY-OF-A-CREATE');
  process.exit(2);
}
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const over = new AbortController();
process.once('SIGINT', () => over.abort());

const acknowledged: string[] = [];
/** Other answers, by status, or by the code of the failed connection. */
const refused = new Map<string, number>();
let lastAt = performance.now();

async function create(): Promise<void> {
  let reason: string;
  try {
    const response = await fetch(url as string, { method: 'POST', headers, body: body as string });
    const answer = (await response.json()) as { id: string; code?: string };
    if (response.status === 201) {
      const now = performance.now();
      if (now - lastAt > shownGap) {
        console.log(
          `${new Date().toISOString()} nothing was acknowledged for ${((now - lastAt) / 1_000).toFixed(1)} s`,
        );
      }
      lastAt = now;
      acknowledged.push(answer.id);
      return;
    }
    reason = `${response.status} ${answer.code}, Retry-After: ${response.headers.get('retry-after')}`;
  } catch (error) {
    reason = String((error as Error & { cause?: { code?: string } }).cause?.code ?? error);
  }
  refused.set(reason, (refused.get(reason) ?? 0) + 1);
  await pause(100);
}

async function isMissing(id: string): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const status = await fetch(`${url}/${id}`, { headers }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    if (status === 200 || status === 404) return status === 404;
    await pause(300);
  }
  throw new Error('The service does not answer.');
}

/** Does something by as many clients as there are. */
const byAll = (work: () => Promise<void>): Promise<void[]> => Promise.all(Array.from({ length: clients }, work));

await byAll(async () => {
  while (!over.signal.aborted) await create();
});
console.log(
  `${acknowledged.length} creates were acknowledged; other answers: ${JSON.stringify(Object.fromEntries(refused))}`,
);
const missing: string[] = [];
const left = acknowledged.values();
await byAll(async () => {
  for (const id of left) if (await isMissing(id)) missing.push(id);
});
console.log(`${missing.length} of them are missing${missing.length > 0 ? `, like ${missing[0]}` : ''}`);
process.exitCode = missing.length > 0 ? 1 : 0;
