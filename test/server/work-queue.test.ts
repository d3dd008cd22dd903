import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { WorkQueue } from '../../runtime/api/work-queue.ts';
import { TestCaller } from '../support/caller.ts';

const mebibyte = 1_048_576;

/** Pieces of work that end when they are told to. */
class Work {
  readonly begun: string[] = [];
  readonly #queue: WorkQueue;
  readonly #ends = new Map<string, () => void>();

  constructor(queue: WorkQueue) {
    this.#queue = queue;
  }

  add(client: string, bytes: number, name = client, caller = new TestCaller(client)): Promise<string> {
    return this.#queue.run(caller, bytes, () => {
      this.begun.push(name);
      return new Promise((resolve) => this.#ends.set(name, () => resolve(name)));
    });
  }

  end(name: string): void {
    this.#ends.get(name)?.();
  }
}

/** Waits until nothing moves any more. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}

test('as much is worked on at once as was allowed, and nobody overtakes who does not fit', async () => {
  const work = new Work(new WorkQueue(10));
  const all = [work.add('a', 6), work.add('b', 6), work.add('c', 4)];
  await settled();
  expect(work.begun).toEqual(['a']);
  work.end('a');
  await settled();
  expect(work.begun).toEqual(['a', 'b', 'c']);
  work.end('b');
  work.end('c');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
});

test('what is longer is worked on alone', async () => {
  const work = new Work(new WorkQueue(10));
  const all = [work.add('a', 1), work.add('b', 100), work.add('c', 1)];
  await settled();
  expect(work.begun).toEqual(['a']);
  work.end('a');
  await settled();
  expect(work.begun).toEqual(['a', 'b']);
  work.end('b');
  await settled();
  work.end('c');
  await Promise.all(all);
});

test('one client is served after the other', async () => {
  const work = new Work(new WorkQueue(1));
  const names = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'];
  const all = names.map((name) => work.add(name.charAt(0), 1, name));
  for (let n = 1; n <= names.length; n++) {
    await settled();
    expect(work.begun).toHaveLength(n);
    work.end(work.begun.at(-1) as string);
  }
  await Promise.all(all);
  expect(work.begun).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('a turn of the event loop does not do more than 1 MiB', async () => {
  const queue = new WorkQueue(100 * mebibyte);
  const turns: number[] = [];
  let turn = 0;
  const caller = new TestCaller('a');
  const add = (bytes: number): Promise<unknown> => queue.run(caller, bytes, () => turns.push(turn));
  const all = [add(mebibyte / 2), add(mebibyte / 2), add(mebibyte / 2), add(3 * mebibyte), add(1)];
  for (; turns.length < all.length; turn++) await nextTurn();
  const [first = 0] = turns;
  expect(turns.map((number) => number - first)).toEqual([0, 0, 1, 2, 3]);
  await Promise.all(all);
});

test('what was done without waiting counts for its turn', async () => {
  const queue = new WorkQueue(1);
  queue.note(mebibyte);
  expect(queue.isTurnOver).toBe(false);
  queue.note(1);
  expect(queue.isTurnOver).toBe(true);
  await nextTurn();
  expect(queue.isTurnOver).toBe(false);
});

test('work that fails makes room like any other', async () => {
  const queue = new WorkQueue(1);
  const fail = queue.run(new TestCaller('a'), 1, () => Promise.reject(new Error('no')));
  const next = queue.run(new TestCaller('a'), 1, () => 'done');
  await expect(fail).rejects.toThrow('no');
  expect(await next).toBe('done');
});

test('work that waits for something else for long makes room, once', async () => {
  const work = new Work(new WorkQueue(10, 20));
  const first = work.add('a', 10);
  const second = work.add('b', 10);
  const third = work.add('c', 10);
  await expect.poll(() => work.begun).toEqual(['a', 'b', 'c']);
  const fourth = work.add('d', 10);
  work.end('a');
  work.end('b');
  await Promise.all([first, second]);
  await expect.poll(() => work.begun).toEqual(['a', 'b', 'c', 'd']);
  work.end('c');
  work.end('d');
  await Promise.all([third, fourth]);
  // Nothing is released twice: only one of two that fill the queue begins.
  void work.add('e', 6);
  void work.add('f', 6);
  await settled();
  expect(work.begun.slice(4)).toEqual(['e']);
});

test('what waits for longer than its caller has patience is given up, and never begun', async () => {
  const work = new Work(new WorkQueue(10));
  const first = work.add('a', 10);
  const late = work.add('b', 10, 'late', new TestCaller('b', 20));
  const patient = work.add('b', 10, 'patient');
  await expect(late).rejects.toMatchObject({
    code: 'overloaded',
    message: expect.stringContaining('nothing was done') as string,
  });
  work.end('a');
  await first;
  await expect.poll(() => work.begun).toEqual(['a', 'patient']);
  work.end('patient');
  await patient;
});

test('what its client has left is given up, also where others wait behind it; what has begun is ended', async () => {
  const work = new Work(new WorkQueue(10));
  const [begun, left] = [new TestCaller('a'), new TestCaller('b')];
  const first = work.add('a', 5, 'first', begun);
  await settled();
  const large = work.add('b', 10, 'large', left);
  const small = work.add('b', 5, 'small');
  await settled();
  left.leave();
  begun.leave();
  await expect(large).rejects.toMatchObject({ code: 'bad_request' });
  await expect.poll(() => work.begun).toEqual(['first', 'small']);
  work.end('first');
  work.end('small');
  expect(await Promise.all([first, small])).toEqual(['first', 'small']);
});
