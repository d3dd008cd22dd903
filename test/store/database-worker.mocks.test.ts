import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';

import { features } from '../../runtime/features.ts';
import { DatabaseWorker } from '../../runtime/engines/sqlite/database-worker.ts';
import { unknownOrigin } from '../../runtime/kernel/records/write.ts';

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

  postMessage(message: object | null): void {
    this.isToldToEnd = message === null;
  }

  answer(json: string): void {
    this.emit('message', { answer: [{ outcome: 'written', json }] });
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

let worker: DatabaseWorker;
const latest = (): Thread => Thread.all.at(-1) as Thread;

beforeEach(() => {
  Thread.all = [];
  Thread.isRefused = false;
  worker = startWorker();
});

const startWorker = (): DatabaseWorker => new DatabaseWorker(features, 'records.db', [], { require: () => undefined });

const commit = (): Promise<unknown> =>
  worker.run('commit', [
    { op: 'delete', organization: 1, origin: unknownOrigin(), table: 'company', id: 'company_1', time: '' },
  ]);
const written = (json: string): unknown => [{ outcome: 'written', json }];
const lostMessage = 'The database worker has failed: the write may have been done or not.';
const unsentMessage = 'The database worker cannot be started. Try again.';

test('a thread that dies takes the group under way with it; the next goes to another', async () => {
  const lost = commit();
  const first = latest();
  first.die();
  await expect(lost).rejects.toMatchObject({ code: 'unavailable', message: lostMessage });
  const next = commit();
  expect(Thread.all).toHaveLength(2);
  // A late message of the first worker is about a group that is already refused.
  first.answer('late');
  latest().answer('next');
  expect(await next).toEqual(written('next'));
});

test('threads that die at once are started no more often than there are groups', async () => {
  for (let n = 0; n < 5; n++) {
    const lost = commit();
    latest().die();
    await expect(lost).rejects.toMatchObject({ code: 'unavailable', message: lostMessage });
  }
  expect(Thread.all).toHaveLength(5);
});

test('where no thread can be started, groups are refused until one can', async () => {
  Thread.isRefused = true;
  await expect(commit()).rejects.toMatchObject({ code: 'unavailable', message: unsentMessage });
  Thread.isRefused = false;
  const kept = commit();
  latest().answer('kept');
  expect(await kept).toEqual(written('kept'));
});

test('a close waits for the thread, and needs none', async () => {
  const done = commit();
  latest().answer('done');
  await done;
  let isClosed = false;
  const closed = worker.close().then(() => (isClosed = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect({ isToldToEnd: latest().isToldToEnd, isClosed }).toEqual({ isToldToEnd: true, isClosed: false });
  latest().emit('exit', 0);
  await closed;
  await startWorker().close();
});
