import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';

import { acquire, Capacity } from '../../runtime/api/capacity.ts';
import { type Requester, Semaphore } from '../../runtime/api/semaphore.ts';
import type { RequestEnv } from '../../runtime/api/service.ts';
import { maxWorkDuration } from '../../runtime/model/limits.ts';

const mebibyte = 1_048_576;

/** A request without a server. */
function requesterOf(key: string): Requester & { leave(): void } {
  const emitter = Object.assign(new EventEmitter(), { closed: false });
  return { key, outgoing: emitter as unknown as Requester['outgoing'], leave: () => emitter.emit('close') };
}

/** Acquires what must fit at once. */
function acquired(semaphore: Semaphore, key: string, bytes: number): void {
  if (!semaphore.tryAcquire(key, bytes)) throw new Error(`${key} has to wait for ${bytes} bytes`);
}

/** Requests that wait, and what became of them in order. */
class Waiting {
  readonly log: string[] = [];
  readonly #releases = new Map<string, () => void>();
  readonly #semaphore: Semaphore;

  constructor(semaphore: Semaphore) {
    this.#semaphore = semaphore;
  }

  add(key: string, bytes: number, name = key, requester = requesterOf(key)): Promise<unknown> {
    return this.#semaphore.acquire(requester, bytes).then(
      () => {
        this.log.push(name);
        this.#releases.set(name, () => this.#semaphore.change(key, -bytes));
      },
      ({ code }: { code: string }) => this.log.push(`${name} ${code}`),
    );
  }

  release(name = ''): void {
    this.#releases.get(name)?.();
  }
}

/** Waits until nothing moves any more. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

describe('a share', () => {
  test('of one key is half of all bytes', () => {
    const semaphore = new Semaphore(100);
    for (let n = 0; n < 5; n++) acquired(semaphore, 'a', 10);
    expect(semaphore.tryAcquire('a', 1)).toBe(false);
    expect(semaphore.held).toBe(50);
  });

  test('of several keys is the same for all, and leaves one for a newcomer', () => {
    const semaphore = new Semaphore(120);
    const take = (key: string): number => {
      let count = 0;
      while (semaphore.tryAcquire(key, 1)) count++;
      return count;
    };
    expect(['a', 'b', 'c'].map(take)).toEqual([60, 30, 15]);
    expect(semaphore.tryAcquire('a', 1)).toBe(false);
    acquired(semaphore, 'd', 7);
  });

  test('that is larger than all is granted alone', () => {
    const semaphore = new Semaphore(100);
    acquired(semaphore, 'a', 1_000);
    expect(semaphore.tryAcquire('b', 1)).toBe(false);
    semaphore.change('a', -1_000);
    expect(semaphore.held).toBe(0);
    acquired(semaphore, 'b', 1_000);
  });

  test('is what it was corrected to', () => {
    const semaphore = new Semaphore(100);
    acquired(semaphore, 'a', 50);
    semaphore.change('a', 150);
    expect(semaphore.held).toBe(200);
    semaphore.change('a', -200);
    expect(semaphore.held).toBe(0);
    acquired(semaphore, 'a', 50);
  });
});

describe('what does not fit', () => {
  test('waits until it does, one key after the other', async () => {
    const semaphore = new Semaphore(100);
    acquired(semaphore, 'z', 1_000);
    const waiting = new Waiting(semaphore);
    const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'];
    const all = names.map((name) => waiting.add(name.charAt(0), 60, name));
    await settled();
    expect(waiting.log).toEqual([]);
    semaphore.change('z', -1_000);
    for (let n = 1; n <= names.length; n++) {
      await settled();
      expect(waiting.log).toHaveLength(n);
      waiting.release(waiting.log.at(-1));
    }
    await Promise.all(all);
    expect(waiting.log).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  test('is not overtaken by the same key, nor by others once its own key holds nothing', async () => {
    const semaphore = new Semaphore(100);
    acquired(semaphore, 'a', 40);
    acquired(semaphore, 'b', 10);
    const waiting = new Waiting(semaphore);
    const all = [waiting.add('a', 50, 'large'), waiting.add('a', 1, 'small')];
    await settled();
    acquired(semaphore, 'c', 1);
    semaphore.change('c', -1);
    semaphore.change('a', -40);
    await settled();
    expect(waiting.log).toEqual([]);
    expect(semaphore.tryAcquire('c', 1)).toBe(false);
    semaphore.change('b', -10);
    await Promise.all(all.slice(0, 1));
    waiting.release('large');
    await Promise.all(all);
    expect(waiting.log).toEqual(['large', 'small']);
  });

  test('is refused after a while, and then what waits behind it may fit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const semaphore = new Semaphore(100);
      acquired(semaphore, 'a', 40);
      const waiting = new Waiting(semaphore);
      const all = [waiting.add('a', 20, 'large')];
      vi.advanceTimersByTime(maxWorkDuration / 2);
      all.push(waiting.add('a', 1, 'small'));
      vi.advanceTimersByTime(maxWorkDuration / 2 - 1);
      await settled();
      expect(waiting.log).toEqual([]);
      vi.advanceTimersByTime(1);
      await Promise.all(all);
      expect(waiting.log).toEqual(['large overloaded', 'small']);
      expect(semaphore.held).toBe(41);
    } finally {
      vi.useRealTimers();
    }
  });

  test('leaves its place when its connection closes', async () => {
    const semaphore = new Semaphore(100);
    acquired(semaphore, 'a', 40);
    const waiting = new Waiting(semaphore);
    const requester = requesterOf('a');
    const all = [waiting.add('a', 20, 'large', requester), waiting.add('a', 1, 'small')];
    // Its own connection may make the room as it closes.
    semaphore.change('a', -40);
    requester.leave();
    await Promise.all(all);
    expect(waiting.log).toEqual(['large bad_request', 'small']);
    expect(semaphore.held).toBe(1);
  });
});

test('a request that waits for more keeps what it holds, and goes ahead of the others of its key', async () => {
  const capacity = new Capacity(400);
  const { memory } = capacity;
  const envOf = (key: string): RequestEnv => ({ ...requesterOf(key), capacity, principal: { name: key } }) as never;
  const [env, other] = [envOf('a'), envOf('a')];
  await acquire(env, 10);
  memory.change('b', 200);
  const log: string[] = [];
  const all = [acquire(other, 60).then(() => log.push('other')), acquire(env, 75).then(() => log.push('more'))];
  await settled();
  expect(memory.held).toBe(210);
  expect(log).toEqual([]);
  memory.change('b', -200);
  await Promise.all(all);
  expect(log).toEqual(['more', 'other']);
  expect(memory.held).toBe(135);
});

describe('a turn of the event loop', () => {
  test('begins about 1 MiB of work', async () => {
    const semaphore = new Semaphore(100 * mebibyte);
    const turns: number[] = [];
    let turn = 0;
    const add = (bytes: number): Promise<unknown> =>
      semaphore.acquire(requesterOf('a'), 1, bytes).then(() => turns.push(turn));
    const all = [0.5, 0.5, 0.5, 3, 0.1].map((share) => add(share * mebibyte));
    for (; turns.length < all.length; turn++) await nextTurn();
    const [first = 0] = turns;
    expect(turns.map((number) => number - first)).toEqual([0, 0, 1, 2, 3]);
  });

  test('is over after as much work that did not wait', async () => {
    const semaphore = new Semaphore(1);
    semaphore.note(mebibyte);
    expect(semaphore.isLoopTurnFull).toBe(false);
    semaphore.note(1);
    expect(semaphore.isLoopTurnFull).toBe(true);
    await nextTurn();
    expect(semaphore.isLoopTurnFull).toBe(false);
  });
});
