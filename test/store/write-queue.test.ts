import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';

import { largestGroup, WriteQueue } from '../../runtime/store/sqlite/write-queue.ts';
import type { Write, WriteResult } from '../../runtime/store/store.ts';

/** A thread that does what the test says, and no more. */
class Thread extends EventEmitter {
  static all: Thread[] = [];
  static isRefused = false;
  readonly groups: (readonly Write[])[] = [];

  constructor() {
    super();
    if (Thread.isRefused) throw new Error('no more threads');
    Thread.all.push(this);
  }

  postMessage(group: readonly Write[] | null): void {
    if (group) this.groups.push(group);
    else this.emit('exit', 0);
  }

  /** Answers the last group that it has got. */
  answer(): void {
    this.emit(
      'message',
      this.groups.at(-1)?.map((write) => ({ outcome: 'written', text: (write as { id: string }).id })),
    );
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

let committed: () => void;
let queue: WriteQueue;

beforeEach(() => {
  Thread.all = [];
  Thread.isRefused = false;
  committed = () => undefined;
  queue = new WriteQueue({ file: 'records.db', tables: [] }, () => committed());
});

const write = (id: string): Promise<WriteResult> => queue.write({ op: 'delete', table: 'company', id });
const written = (id: string): WriteResult => ({ outcome: 'written', text: id });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const refused = { code: 'unavailable', message: 'The database cannot be written. Try again.' };

/** What comes of writes, as `allSettled` says it. */
const ends = async (writes: readonly Promise<WriteResult>[]): Promise<string[]> =>
  (await Promise.allSettled(writes)).map(({ status }) => status);

test('writes of one turn go together, in their order, and so do those that come while they are under way', async () => {
  const first = [write('a'), write('b')];
  await turn();
  const next = [write('c'), write('d')];
  await turn();
  const [thread] = Thread.all as [Thread];
  expect(thread.groups).toHaveLength(1);
  thread.answer();
  expect(await Promise.all(first)).toEqual([written('a'), written('b')]);
  thread.answer();
  expect(await Promise.all(next)).toEqual([written('c'), written('d')]);
  expect(Thread.all).toHaveLength(1);
});

test('more than the largest group are more groups', async () => {
  const writes = Array.from({ length: largestGroup + 1 }, (_, n) => write(`${n}`));
  await turn();
  const [thread] = Thread.all as [Thread];
  thread.answer();
  thread.answer();
  expect(thread.groups.map((group) => group.length)).toEqual([largestGroup, 1]);
  expect((await Promise.all(writes)).at(-1)).toEqual(written(`${largestGroup}`));
});

test('a thread that dies takes the group under way with it; what waits goes to another', async () => {
  const lost = write('lost');
  await turn();
  const next = write('next');
  const [first] = Thread.all as [Thread];
  first.die();
  await expect(lost).rejects.toMatchObject(refused);
  const second = Thread.all[1] as Thread;
  // What the first had still to say is about a write that is refused by now.
  first.answer();
  second.answer();
  expect(await next).toEqual(written('next'));
});

test('threads that die at once are started no more often than there are writes', async () => {
  Thread.all[0]?.die();
  for (let n = 0; n < 5; n++) {
    const lost = write('lost');
    await turn();
    Thread.all.at(-1)?.die();
    await expect(lost).rejects.toMatchObject(refused);
  }
  await turn();
  expect(Thread.all).toHaveLength(6);
});

test('where no thread can be started, writes are refused until one can', async () => {
  Thread.all[0]?.die();
  Thread.isRefused = true;
  const lost = Array.from({ length: largestGroup * 2 }, () => write('lost'));
  expect(new Set(await ends(lost))).toEqual(new Set(['rejected']));
  Thread.isRefused = false;
  const kept = write('kept');
  await turn();
  Thread.all.at(-1)?.answer();
  expect(await kept).toEqual(written('kept'));
});

test('a commit that does not count is no answer, and the next one is', async () => {
  committed = () => {
    throw new Error('the file is gone');
  };
  const lost = write('lost');
  await turn();
  const next = write('next');
  Thread.all[0]?.answer();
  await expect(lost).rejects.toThrow('the file is gone');
  committed = () => undefined;
  Thread.all[0]?.answer();
  expect(await next).toEqual(written('next'));
});

test('a close waits for what was handed over, also where the thread dies on it', async () => {
  for (const how of ['answer', 'die'] as const) {
    queue = new WriteQueue({ file: 'records.db', tables: [] }, () => undefined);
    const thread = Thread.all.at(-1) as Thread;
    const first = write('a');
    await turn();
    const ended = ends([first, write('b')]);
    let isClosed = false;
    const closed = queue.close().then(() => (isClosed = true));
    thread[how]();
    await turn();
    expect(isClosed).toBe(false);
    Thread.all.at(-1)?.answer();
    await closed;
    expect(await ended).toEqual([how === 'answer' ? 'fulfilled' : 'rejected', 'fulfilled']);
  }
});
