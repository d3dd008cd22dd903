import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

import { unavailable } from '../../runtime/model/errors.ts';
import type { Outcome } from '../../runtime/sqlite/committer.ts';
import { mainLimits, maxWaiting, WriteQueue, workerLimits } from '../../runtime/sqlite/write-queue.ts';
import { isSyncSlow } from '../../runtime/sqlite/sync-time.ts';
import type { Write, WriteResult } from '../../runtime/records/store.ts';

const idOf = (write: Write): string => ('id' in write ? write.id : '');
const outcomesOf = (writes: readonly Write[]): Outcome[] =>
  writes.map((write) => ({ outcome: 'written', json: idOf(write) }));

/** A queue whose groups are committed as the test says, and which group went where. */
class Bench {
  readonly main: string[][] = [];
  readonly worker: string[][] = [];
  checkpoints = 0;
  isLocked = false;
  confirm: () => void = () => undefined;
  isLong: (id: string) => boolean = () => false;
  /** Writes of a group that the worker thread has no time for, and those that the main thread has none for. */
  leftOut = 0;
  leftOutOnMain = 0;
  /** Ends the group that is on the worker thread. */
  finish: (error?: Error) => void = () => undefined;
  readonly queue: WriteQueue;

  constructor({ maxDuration = 60_000, isSyncSlow: isSlow = false } = {}) {
    this.queue = new WriteQueue(
      {
        commitOnMain: (writes) => {
          if (this.isLocked) return undefined;
          this.main.push(writes.map(idOf));
          this.confirm();
          const begun = writes.slice(0, writes.length - this.leftOutOnMain);
          return { outcomes: outcomesOf(begun), milliseconds: 1 };
        },
        commitOnWorker: (writes) => {
          this.worker.push(writes.map(idOf));
          return new Promise((resolve, reject) => {
            this.finish = (error) =>
              error
                ? reject(error)
                : resolve({ outcomes: outcomesOf(writes.slice(0, writes.length - this.leftOut)), milliseconds: 1 });
          });
        },
        checkpoint: async () => {
          this.checkpoints++;
          await turn();
        },
        isLong: (write) => this.isLong(idOf(write)),
      },
      isSlow,
      maxDuration,
    );
  }

  #begun = 0;

  /** Resolves when so many more groups have begun, checkpoints or not. */
  async begun(groups: number): Promise<void> {
    this.#begun += groups;
    while (this.main.length + this.worker.length < this.#begun) await turn();
  }

  write(id: string): Promise<WriteResult> {
    return this.queue.write({ op: 'delete', organization: 1, table: 'company', id });
  }

  insert(text: string): Promise<WriteResult> {
    return this.queue.write({ op: 'insert', organization: 1, table: 'company', values: [text] });
  }
}

const written = (id: string): WriteResult => ({ outcome: 'written', json: id });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('writes of one turn go together, in their order', async () => {
  const bench = new Bench();
  expect(await Promise.all(['a', 'b'].map((id) => bench.write(id)))).toEqual([written('a'), written('b')]);
  expect(await bench.write('c')).toEqual(written('c'));
  expect(bench.main).toEqual([['a', 'b'], ['c']]);
  expect(bench.worker).toEqual([]);
});

test('more than the largest group are more groups, and reads have their turn between two', async () => {
  const bench = new Bench();
  const writes = Array.from({ length: mainLimits.writes + 1 }, (_, n) => bench.write(`${n}`));
  await turn();
  expect(bench.main.map((group) => group.length)).toEqual([mainLimits.writes]);
  expect((await Promise.all(writes)).at(-1)).toEqual(written(`${mainLimits.writes}`));
  expect(bench.main.map((group) => group.length)).toEqual([mainLimits.writes, 1]);
});

test('a batch counts as its writes', async () => {
  const bench = new Bench();
  const batch = (count: number): Promise<WriteResult> => {
    const writes = Array.from({ length: count }, () => ({ op: 'delete', table: 'company', id: 'x' }) as const);
    return bench.queue.write({ op: 'batch', organization: 1, table: 'company', writes, isTrial: false });
  };
  await Promise.all([bench.write('a'), batch(mainLimits.writes - 2), bench.write('b'), bench.write('c')]);
  expect(bench.main).toEqual([['a', '', 'b'], ['c']]);
  await Promise.all([bench.write('d'), batch(mainLimits.writes), bench.write('e')]);
  expect(bench.main.slice(2)).toEqual([['d', ''], ['e']]);
});

test('if fsyncs are slow groups go to the worker thread; those that come meanwhile wait for it, as one', async () => {
  const bench = new Bench({ isSyncSlow: true });
  const first = bench.write('b');
  await turn();
  const next = Array.from({ length: workerLimits.writes + 1 }, (_, n) => bench.write(`${n}`));
  await turn();
  expect(bench.worker).toEqual([['b']]);
  bench.finish();
  expect(await first).toEqual(written('b'));
  await turn();
  bench.finish();
  await turn();
  await turn();
  bench.finish();
  await Promise.all(next);
  expect(bench.worker.map((group) => group.length)).toEqual([1, workerLimits.writes, 1]);
  expect(bench.main).toEqual([]);
});

test('an fsync is slow if it takes longer than reads can wait, each time', () => {
  const file = join(tmpdir(), `records-${process.pid}.db`);
  const wait = (milliseconds: number): void => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
  };
  let syncs = 0;
  expect(isSyncSlow(file, () => wait(8))).toBe(true);
  expect(isSyncSlow(file, () => wait(syncs++ === 0 ? 8 : 0))).toBe(false);
  expect(isSyncSlow('/no/such/folder/records.db', () => wait(8))).toBe(false);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith(basename(file)))).toEqual([]);
});

test('what may take long, what is long and what finds a lock goes to the worker thread', async () => {
  const bench = new Bench();
  bench.isLong = (id) => id === 'long';
  const onWorker = async (write: Promise<WriteResult>): Promise<void> => {
    await turn();
    bench.finish();
    await write;
  };
  await onWorker(bench.write('long'));
  await onWorker(bench.insert('x'.repeat(1_000_000)));
  bench.isLocked = true;
  await onWorker(bench.write('locked'));
  expect(bench.worker).toEqual([['long'], [''], ['locked']]);
  expect(bench.main).toEqual([]);
});

test('texts that are too much for one group are several', async () => {
  const bench = new Bench();
  const writes = Array.from({ length: 3 }, () => bench.insert('x'.repeat(5_000_000)));
  for (const _ of writes) {
    await bench.begun(1);
    bench.finish();
  }
  await Promise.all(writes);
  expect(bench.worker.map((group) => group.length)).toEqual([1, 1, 1]);
});

test('every so many writes there is a checkpoint, and writes wait for it', async () => {
  const bench = new Bench();
  for (let n = 0; n < 4_500; n++) await bench.write(`${n}`);
  expect(bench.checkpoints).toBe(2);
  expect(bench.main).toHaveLength(4_500);
});

test('a group that fails on the worker thread is refused, and the next one is not', async () => {
  const bench = new Bench();
  bench.isLong = () => true;
  const lost = bench.write('lost');
  await turn();
  const next = bench.write('next');
  bench.finish(unavailable('The database cannot be written. Try again.', undefined));
  await expect(lost).rejects.toMatchObject({ code: 'unavailable' });
  await turn();
  bench.finish();
  expect(await next).toEqual(written('next'));
});

test('a commit that does not count is no answer, and the next one is', async () => {
  const bench = new Bench();
  bench.confirm = () => {
    throw new Error('the file is gone');
  };
  await expect(bench.write('lost')).rejects.toThrow('the file is gone');
  bench.confirm = () => undefined;
  expect(await bench.write('next')).toEqual(written('next'));
});

test('it is drained when all that was handed over is answered', async () => {
  const bench = new Bench();
  await bench.queue.drain();
  bench.isLong = (id) => id === 'a';
  const writes = [bench.write('a')];
  await turn();
  writes.push(bench.write('b'));
  let isDrained = false;
  const drained = bench.queue.drain().then(() => (isDrained = true));
  await turn();
  expect(isDrained).toBe(false);
  bench.finish();
  await drained;
  expect(await Promise.all(writes)).toEqual([written('a'), written('b')]);
});

test('long writes have a queue of their own, and take turns with the others', async () => {
  const bench = new Bench();
  bench.isLong = (id) => id.startsWith('long');
  const long = ['long 1', 'long 2', 'long 3'].map((id) => bench.write(id));
  await bench.begun(1);
  long.push(bench.write('long 4'));
  const short = [bench.write('a'), bench.write('b')];
  // Only one write of the first group is done in time.
  bench.leftOut = 2;
  bench.finish();
  expect(await Promise.all(short)).toEqual([written('a'), written('b')]);
  await bench.begun(2);
  expect(bench.main).toEqual([['a', 'b']]);
  bench.leftOut = 0;
  bench.finish();
  await Promise.all(long);
  expect(bench.worker).toEqual([
    ['long 1', 'long 2', 'long 3'],
    ['long 2', 'long 3', 'long 4'],
  ]);
});

test('what the main thread has no time for is done by its next group', async () => {
  const bench = new Bench();
  bench.leftOutOnMain = 2;
  const writes = ['a', 'b', 'c'].map((id) => bench.write(id));
  expect(await writes[0]).toEqual(written('a'));
  bench.leftOutOnMain = 0;
  expect(await Promise.all(writes)).toEqual(['a', 'b', 'c'].map(written));
  expect([bench.main, bench.worker]).toEqual([
    [
      ['a', 'b', 'c'],
      ['b', 'c'],
    ],
    [],
  ]);
});

test('more writes than may wait are refused, and those that wait are not', async () => {
  const bench = new Bench();
  bench.isLong = (id) => id.startsWith('long');
  const waiting = [
    ...Array.from({ length: maxWaiting.short }, (_, n) => bench.write(`${n}`)),
    ...Array.from({ length: maxWaiting.long }, (_, n) => bench.write(`long ${n}`)),
  ];
  const refused = { code: 'overloaded', message: expect.stringContaining('nothing was done') as string };
  await expect(bench.write('one too many')).rejects.toMatchObject(refused);
  await expect(bench.write('long one too many')).rejects.toMatchObject(refused);
  const over = new AbortController();
  const ended = Promise.all(waiting).then(() => over.abort());
  while (!over.signal.aborted) {
    bench.finish();
    await turn();
  }
  await ended;
  expect(bench.main.flat()).toHaveLength(maxWaiting.short);
  expect(bench.worker.flat()).toHaveLength(maxWaiting.long);
});

test('a write that takes too long may have been done or not; one that waits for too long is certainly not done', async () => {
  const bench = new Bench({ maxDuration: 100 });
  bench.isLong = (id) => id.startsWith('long');
  const begun = ['long 1', 'long 2'].map((id) => bench.write(id));
  await bench.begun(1);
  const waiting = [bench.write('a'), bench.write('long 3')];
  const ends = await Promise.allSettled([...begun, ...waiting]);
  const reasons = ends.map((end) => (end as PromiseRejectedResult).reason as Error);
  for (const unknown of reasons.slice(0, 2)) {
    expect(unknown).toMatchObject({ code: 'unavailable', message: expect.stringContaining('done or not') as string });
  }
  for (const withdrawn of reasons.slice(2)) {
    expect(withdrawn).toMatchObject({
      code: 'overloaded',
      message: expect.stringContaining('nothing was done') as string,
    });
  }
  // A write that the group left out is not done later.
  bench.leftOut = 1;
  bench.finish();
  expect(await bench.write('next')).toEqual(written('next'));
  await bench.queue.drain();
  expect([bench.main, bench.worker]).toEqual([[['next']], [['long 1', 'long 2']]]);
});
