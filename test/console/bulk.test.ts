import { expect, test } from 'vitest';

import type { Api } from '../../runtime/apps/console/browser/api.ts';
import { Run, type Tally, type Target } from '../../runtime/apps/console/browser/list/bulk/run.ts';
import type { Resource } from '../../runtime/apps/console/browser/model.ts';
import { ApiFailure } from '../../runtime/client/failure.ts';

const refusal = (operation: number): ApiFailure =>
  new ApiFailure('POST /api/batch', { code: 'locked', status: 409, title: 'Locked', operation, detail: '' } as never);

/** A service that refuses some records, and notes how many records each batch has. */
class Refusing {
  readonly batches: number[] = [];
  readonly done: string[] = [];
  readonly #isRefused: (id: string) => boolean;

  constructor(isRefused: (id: string) => boolean) {
    this.#isRefused = isRefused;
  }

  get(path: string): Promise<object> {
    return Promise.resolve({ id: path.split('/').at(-1), updated_at: 'then' });
  }

  batch(write: (requests: object) => readonly { id: string }[]): Promise<void> {
    const ids = write({ send: (call: object) => call }).map(({ id }) => id);
    this.batches.push(ids.length);
    const at = ids.findIndex(this.#isRefused);
    if (at >= 0) return Promise.reject(refusal(at));
    this.done.push(...ids);
    return Promise.resolve();
  }
}

/** Runs over 1,000 records. */
async function runOver(isRefused: (id: string) => boolean): Promise<{ service: Refusing; tally: Tally }> {
  const service = new Refusing(isRefused);
  let tally: Tally = { done: 0, failures: [] };
  const run = new Run(service as unknown as Api, { path: '/api/x', route: 'x' } as Resource, {
    operation: (id) => ({ method: 'DELETE', path: '/api/x', id }),
    requestId: 'run',
    reasonOf: String,
    onProgress: (now) => (tally = now),
    signal: new AbortController().signal,
  });
  const targets = async function* (): AsyncIterable<readonly Target[]> {
    for (let start = 0; start < 1_000; start += 100)
      yield Array.from({ length: 100 }, (_, n) => ({ id: String(start + n), seen: 'then' }));
  };
  await run.over(targets());
  return { service, tally };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

test.each([
  ['none', () => false, 10, 1_000],
  ['one', (id: string) => id === '550', 12, 1_150],
  ['each tenth', (id: string) => id.endsWith('7'), 300, 3_500],
  ['each other', (id: string) => Number(id) % 2 === 1, 1_010, 2_500],
  ['all', () => true, 1_010, 1_300],
] as const)('of 1,000 records, %s refused costs few requests', async (_, isRefused, requests, operations) => {
  const { service, tally } = await runOver(isRefused);
  const refused = Array.from({ length: 1_000 }, (_each, n) => String(n)).filter(isRefused);
  expect(tally.failures.map(({ id }) => id).toSorted()).toEqual(refused.toSorted());
  expect(tally.done).toBe(1_000 - refused.length);
  expect(new Set(service.done).size).toBe(tally.done);
  expect(service.batches.length, 'requests').toBeLessThanOrEqual(requests);
  expect(sum(service.batches), 'operations').toBeLessThanOrEqual(operations);
});
