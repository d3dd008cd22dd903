import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';

import { Capacity, enter, ownTurn, tryEnter } from '../../runtime/kernel/api/capacity.ts';
import { isTurnFull, noteMade } from '../../runtime/kernel/api/responses.ts';
import { type Requester, Semaphore } from '../../runtime/kernel/api/semaphore.ts';
import type { RequestEnv } from '../../runtime/kernel/api/service.ts';
import { maxWorkDuration } from '../../runtime/kernel/model/limits.ts';

const mebibyte = 1_048_576;

/** A request without a server. */
function requesterOf(key: string): Requester & { leave(): void } {
  const emitter = Object.assign(new EventEmitter(), { closed: false });
  return { key, outgoing: emitter as unknown as Requester['outgoing'], leave: () => emitter.emit('close') };
}

/** Takes what must be free. @returns gives it back */
function taken(semaphore: Semaphore, key: string, slots: number): () => void {
  const release = semaphore.tryEnter(key, slots);
  if (!release) throw new Error(`${key} has to wait for ${slots} slots`);
  return release;
}

/** Requests that wait, and what became of them in order. */
class Waiting {
  readonly log: string[] = [];
  readonly #releases = new Map<string, () => void>();
  readonly #semaphore: Semaphore;

  constructor(semaphore: Semaphore) {
    this.#semaphore = semaphore;
  }

  add(key: string, slots: number, name = key, requester = requesterOf(key)): Promise<unknown> {
    return this.#semaphore.enter(requester, slots).then(
      (release) => {
        this.log.push(name);
        this.#releases.set(name, release);
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

describe('a key', () => {
  test('holds at most half of the slots', () => {
    const semaphore = new Semaphore(100);
    for (let n = 0; n < 5; n++) taken(semaphore, 'a', 10);
    expect(semaphore.tryEnter('a', 1)).toBeUndefined();
    expect(semaphore.held).toBe(50);
    taken(semaphore, 'b', 50);
    expect(semaphore.tryEnter('c', 1)).toBeUndefined();
  });

  test('that holds none may take all for one request', () => {
    const semaphore = new Semaphore(100);
    const release = taken(semaphore, 'a', 100);
    expect(semaphore.tryEnter('b', 1)).toBeUndefined();
    release();
    release();
    expect(semaphore.held).toBe(0);
    taken(semaphore, 'b', 80);
    expect(semaphore.tryEnter('b', 1)).toBeUndefined();
  });
});

describe('what does not fit', () => {
  test('waits until it does, and requests of other keys do not wait for it', async () => {
    const semaphore = new Semaphore(100);
    const release = taken(semaphore, 'a', 50);
    const waiting = new Waiting(semaphore);
    const all = [waiting.add('a', 10, 'a1'), waiting.add('a', 10, 'a2'), waiting.add('b', 50), waiting.add('c', 10)];
    await settled();
    expect(waiting.log).toEqual(['b']);
    release();
    await settled();
    expect(waiting.log).toEqual(['b', 'a1', 'a2', 'c']);
    await Promise.all(all);
  });

  test('is not overtaken by the same key, nor by others once its own key holds nothing', async () => {
    const semaphore = new Semaphore(100);
    const [releaseA, releaseB] = [taken(semaphore, 'a', 40), taken(semaphore, 'b', 50)];
    const waiting = new Waiting(semaphore);
    const all = [waiting.add('a', 60, 'large'), waiting.add('a', 1, 'small')];
    await settled();
    releaseA();
    await settled();
    all.push(waiting.add('c', 1));
    await settled();
    expect(waiting.log).toEqual([]);
    releaseB();
    await settled();
    expect(waiting.log).toEqual(['large', 'c']);
    waiting.release('large');
    await Promise.all(all);
    expect(waiting.log).toEqual(['large', 'c', 'small']);
  });

  test('is refused after a while, and then what waits behind it may fit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const semaphore = new Semaphore(100);
      taken(semaphore, 'a', 40);
      const waiting = new Waiting(semaphore);
      const all = [waiting.add('a', 20, 'large')];
      vi.advanceTimersByTime(maxWorkDuration / 2);
      all.push(waiting.add('a', 1, 'small'));
      vi.advanceTimersByTime(maxWorkDuration / 2 - 1);
      await settled();
      expect(waiting.log).toEqual([]);
      vi.advanceTimersByTime(1);
      await Promise.all(all);
      expect(waiting.log.toSorted()).toEqual(['large overloaded', 'small']);
      expect(semaphore.held).toBe(41);
    } finally {
      vi.useRealTimers();
    }
  });

  test('leaves its place when its connection closes', async () => {
    const semaphore = new Semaphore(100);
    const release = taken(semaphore, 'a', 40);
    const waiting = new Waiting(semaphore);
    const requester = requesterOf('a');
    const all = [waiting.add('a', 20, 'large', requester), waiting.add('a', 1, 'small')];
    requester.leave();
    release();
    await Promise.all(all);
    expect(waiting.log.toSorted()).toEqual(['large bad_request', 'small']);
    expect(semaphore.held).toBe(1);
  });
});

describe('a large request', () => {
  const capacity = new Capacity(16);
  const { large } = capacity;
  const envOf = (): RequestEnv & { leave?: unknown } => {
    const { key, outgoing } = requesterOf('a');
    return { outgoing, capacity, principal: { name: key } } as never;
  };

  test('takes a slot for each MiB, once, until its response has left', async () => {
    const env = envOf();
    await enter(env, 2.5 * mebibyte);
    await enter(env, 8 * mebibyte);
    expect(tryEnter(env, 8 * mebibyte)).toBe(true);
    expect(large.held).toBe(3);
    env.leave?.();
    env.leave?.();
    expect(large.held).toBe(0);
  });

  test('gives its slots back when its connection closes', async () => {
    const env = envOf();
    await enter(env, mebibyte);
    env.outgoing.emit('close');
    expect(large.held).toBe(0);
    env.leave?.();
    expect(large.held).toBe(0);
  });

  test('that is larger than all slots takes all', async () => {
    const env = envOf();
    await enter(env, 64 * mebibyte);
    expect(large.held).toBe(large.limit);
    env.leave?.();
  });
});

describe('a turn of the event loop', () => {
  test('goes on with one large request', async () => {
    const turns: number[] = [];
    let turn = 0;
    const all = Array.from({ length: 5 }, () => ownTurn().then(() => turns.push(turn)));
    for (; turns.length < all.length; turn++) await nextTurn();
    const [first = 0] = turns;
    expect(turns.map((number) => number - first)).toEqual([0, 1, 2, 3, 4]);
  });

  test('is over after 1 MiB of work that did not wait', async () => {
    await nextTurn();
    noteMade(mebibyte);
    expect(isTurnFull()).toBe(false);
    noteMade(1);
    expect(isTurnFull()).toBe(true);
    await nextTurn();
    expect(isTurnFull()).toBe(false);
  });
});
