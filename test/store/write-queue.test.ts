import { expect, test } from 'vitest';

import { unavailable } from '../../runtime/errors.ts';
import type { Outcome } from '../../runtime/store/sqlite/committer.ts';
import { largestGroup, largestGroupHere, WriteQueue } from '../../runtime/store/sqlite/write-queue.ts';
import type { Write, WriteResult } from '../../runtime/store/store.ts';

const idOf = (write: Write): string => ('id' in write ? write.id : '');
const outcomesOf = (writes: readonly Write[]): Outcome[] =>
  writes.map((write) => ({ outcome: 'written', text: idOf(write) }));

/** A queue whose groups are committed as the test says, and where each of them went. */
class Bench {
  readonly here: string[][] = [];
  readonly there: string[][] = [];
  /** How long the next fsync on this thread takes, in milliseconds. */
  sync = 0;
  isLocked = false;
  committed: () => void = () => undefined;
  isLong: (id: string) => boolean = () => false;
  /** Ends the group that is on the other thread. */
  finish: (error?: Error) => void = () => undefined;
  readonly queue = new WriteQueue({
    here: (writes) => {
      if (this.isLocked) return undefined;
      this.here.push(writes.map(idOf));
      return { outcomes: outcomesOf(writes), milliseconds: this.sync };
    },
    there: (writes) => {
      this.there.push(writes.map(idOf));
      return new Promise((resolve, reject) => {
        this.finish = (error) => (error ? reject(error) : resolve(outcomesOf(writes)));
      });
    },
    isLong: (write) => this.isLong(idOf(write)),
    committed: () => this.committed(),
  });

  write(id: string): Promise<WriteResult> {
    return this.queue.write({ op: 'delete', table: 'company', id });
  }

  insert(text: string): Promise<WriteResult> {
    return this.queue.write({ op: 'insert', table: 'company', values: [text] });
  }
}

const written = (id: string): WriteResult => ({ outcome: 'written', text: id });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('writes of one turn go together, in their order', async () => {
  const bench = new Bench();
  expect(await Promise.all(['a', 'b'].map((id) => bench.write(id)))).toEqual([written('a'), written('b')]);
  expect(await bench.write('c')).toEqual(written('c'));
  expect(bench.here).toEqual([['a', 'b'], ['c']]);
  expect(bench.there).toEqual([]);
});

test('more than the largest group are more groups, and reads have their turn between two', async () => {
  const bench = new Bench();
  const writes = Array.from({ length: largestGroupHere + 1 }, (_, n) => bench.write(`${n}`));
  await turn();
  expect(bench.here.map((group) => group.length)).toEqual([largestGroupHere]);
  expect((await Promise.all(writes)).at(-1)).toEqual(written(`${largestGroupHere}`));
  expect(bench.here.map((group) => group.length)).toEqual([largestGroupHere, 1]);
});

test('after a slow fsync groups go to the other thread; those that come meanwhile wait for it, as one', async () => {
  const bench = new Bench();
  bench.sync = 10;
  await bench.write('a');
  const first = bench.write('b');
  await turn();
  const next = Array.from({ length: largestGroup + 1 }, (_, n) => bench.write(`${n}`));
  await turn();
  expect(bench.there).toEqual([['b']]);
  bench.finish();
  expect(await first).toEqual(written('b'));
  await turn();
  bench.finish();
  await turn();
  await turn();
  bench.finish();
  await Promise.all(next);
  expect(bench.there.map((group) => group.length)).toEqual([1, largestGroup, 1]);
  expect(bench.here).toEqual([['a']]);
});

test('a fast fsync ends what a slow one has begun, a while later', async () => {
  const bench = new Bench();
  bench.sync = 10;
  await bench.write('a');
  bench.sync = 0;
  let isThere = true;
  while (isThere) {
    const place = bench.there.length;
    const write = bench.write('b');
    await turn();
    isThere = bench.there.length > place;
    bench.finish();
    await write;
  }
  expect(await bench.write('c')).toEqual(written('c'));
  expect(bench.here.at(-1)).toEqual(['c']);
});

test('what may take long, what is long and what finds a lock goes to the other thread', async () => {
  const bench = new Bench();
  bench.isLong = (id) => id === 'long';
  const there = async (write: Promise<WriteResult>): Promise<void> => {
    await turn();
    bench.finish();
    await write;
  };
  await there(bench.write('long'));
  await there(bench.insert('x'.repeat(1_000_000)));
  bench.isLocked = true;
  await there(bench.write('locked'));
  expect(bench.there).toEqual([['long'], [''], ['locked']]);
  expect(bench.here).toEqual([]);
});

test('texts that are too much for one group are several', async () => {
  const bench = new Bench();
  const writes = Array.from({ length: 3 }, () => bench.insert('x'.repeat(5_000_000)));
  for (const _ of writes) {
    await turn();
    bench.finish();
    await turn();
  }
  await Promise.all(writes);
  expect(bench.there.map((group) => group.length)).toEqual([1, 1, 1]);
});

test('every so many writes a group goes to the other thread, which moves the journal', async () => {
  const bench = new Bench();
  for (let n = 0; n < 4_500; n++) {
    const write = bench.write(`${n}`);
    await turn();
    bench.finish();
    await write;
  }
  expect(bench.there).toHaveLength(2);
});

test('a group that fails on the other thread is refused, and the next one is not', async () => {
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
  bench.committed = () => {
    throw new Error('the file is gone');
  };
  await expect(bench.write('lost')).rejects.toThrow('the file is gone');
  bench.committed = () => undefined;
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
