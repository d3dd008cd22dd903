import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';

import { ThreadCommitter } from '../../runtime/store/sqlite/thread-committer.ts';
import type { Write } from '../../runtime/store/store.ts';

/** A thread that does what the test says, and no more. */
class Thread extends EventEmitter {
  static all: Thread[] = [];
  static isRefused = false;
  isToldToEnd = false;

  constructor() {
    super();
    if (Thread.isRefused) throw new Error('no more threads');
    Thread.all.push(this);
  }

  postMessage(group: readonly Write[] | null): void {
    this.isToldToEnd = group === null;
  }

  answer(text: string): void {
    this.emit('message', [{ outcome: 'written', text }]);
  }

  die(): void {
    this.emit('error', new Error('out of memory'));
    this.emit('exit', 1);
  }

  ref(): void {}
  unref(): void {}
}

vi.mock('node:worker_threads', () => ({
  // Looked up when it is used: the mock stands before everything else.
  get Worker() {
    return Thread;
  },
}));

let committer: ThreadCommitter;
const latest = (): Thread => Thread.all.at(-1) as Thread;

beforeEach(() => {
  Thread.all = [];
  Thread.isRefused = false;
  committer = new ThreadCommitter({ file: 'records.db', tables: [] });
});

const commit = (): ReturnType<ThreadCommitter['commit']> =>
  committer.commit([{ op: 'delete', table: 'company', id: 'company_1' }]);
const written = (text: string): unknown => [{ outcome: 'written', text }];
const refused = { code: 'unavailable', message: 'The database cannot be written. Try again.' };

test('a thread that dies takes the group under way with it; the next goes to another', async () => {
  const lost = commit();
  const first = latest();
  first.die();
  await expect(lost).rejects.toMatchObject(refused);
  const next = commit();
  expect(Thread.all).toHaveLength(2);
  // What the first had still to say is about a group that is refused by now.
  first.answer('late');
  latest().answer('next');
  expect(await next).toEqual(written('next'));
});

test('threads that die at once are started no more often than there are groups', async () => {
  latest().die();
  for (let n = 0; n < 5; n++) {
    const lost = commit();
    latest().die();
    await expect(lost).rejects.toMatchObject(refused);
  }
  expect(Thread.all).toHaveLength(6);
});

test('where no thread can be started, groups are refused until one can', async () => {
  latest().die();
  Thread.isRefused = true;
  await expect(commit()).rejects.toMatchObject(refused);
  Thread.isRefused = false;
  const kept = commit();
  latest().answer('kept');
  expect(await kept).toEqual(written('kept'));
});

test('a close waits for the thread, and needs none', async () => {
  let isClosed = false;
  const closed = committer.close().then(() => (isClosed = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect({ isToldToEnd: latest().isToldToEnd, isClosed }).toEqual({ isToldToEnd: true, isClosed: false });
  latest().emit('exit', 0);
  await closed;
  committer = new ThreadCommitter({ file: 'records.db', tables: [] });
  latest().die();
  await committer.close();
});
