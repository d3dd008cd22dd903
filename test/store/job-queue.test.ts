import { expect, test } from 'vitest';

import { maxWaiting } from '../../runtime/kernel/records/limits.ts';
import { type JobOwner, JobQueue } from '../../runtime/engines/sqlite/job-queue.ts';

/** A queue whose jobs end when the test says, and those that were begun. */
class Bench {
  readonly begun: string[] = [];
  finish: () => void = () => undefined;
  readonly turns: JobQueue;

  constructor(maxDuration = 60_000) {
    this.turns = new JobQueue(maxDuration);
  }

  readonly job = (name: string) => (): Promise<string> => {
    this.begun.push(name);
    return new Promise((resolve) => (this.finish = () => resolve(name)));
  };

  run(owner: JobOwner, name: string): Promise<string> {
    return this.turns.run(owner, this.job(name));
  }

  /** Ends so many jobs, one after the other. */
  async finishEach(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      this.finish();
      await new Promise(setImmediate);
    }
  }
}

const ownerOf = (organization: number): JobOwner => ({ organization });

test('jobs are done one after the other, and no more of an owner may wait than are worth it', async () => {
  const bench = new Bench();
  const [one, other] = [ownerOf(1), ownerOf(1)];
  const jobs = Array.from({ length: maxWaiting + 1 }, (_, n) => bench.run(one, `${n}`));
  await expect(bench.run(one, 'one too many')).rejects.toMatchObject({ code: 'overloaded' });
  jobs.push(bench.run(other, 'other'));
  jobs.push(bench.turns.continue(one, bench.job('begun before')));
  await bench.finishEach(jobs.length);
  expect(await Promise.all(jobs)).toHaveLength(maxWaiting + 3);
});

test('an owner waits for one job of each of the others', async () => {
  const bench = new Bench();
  const [first, second, third] = [ownerOf(1), ownerOf(1), ownerOf(2)];
  const jobs = Array.from({ length: 20 }, (_, n) => bench.run(first, `first ${n}`));
  jobs.push(bench.run(second, 'second 0'), bench.run(second, 'second 1'), bench.run(third, 'third 0'));
  await bench.finishEach(6);
  expect(bench.begun.slice(0, 6)).toEqual(['first 0', 'first 1', 'third 0', 'second 0', 'first 2', 'second 1']);
  // One that comes again is not before those that wait.
  jobs.push(bench.run(third, 'third 1'), bench.run(second, 'second 2'));
  await bench.finishEach(3);
  expect(bench.begun.slice(6, 10)).toEqual(['first 3', 'first 4', 'third 1', 'second 2']);
  await bench.finishEach(jobs.length);
  expect(await Promise.all(jobs)).toEqual(expect.arrayContaining(['first 19', 'second 2', 'third 1']));
});

test('a job that takes too long is given up; one that waits for it as well, and is never begun', async () => {
  const bench = new Bench(100);
  const jobs = ['slow', 'waiting'].map((name) => bench.run(ownerOf(1), name));
  for (const end of await Promise.allSettled(jobs)) expect(end).toMatchObject({ reason: { code: 'overloaded' } });
  const next = bench.run(ownerOf(1), 'next');
  await bench.finishEach(3);
  expect(await next).toEqual('next');
  expect(bench.begun).toEqual(['slow', 'next']);
});

test('a job that fails is not the end of the others', async () => {
  const turns = new JobQueue(60_000);
  const failed = turns.run(ownerOf(1), () => Promise.reject(new Error('the disk is gone')));
  const next = turns.run(ownerOf(1), async () => 'next');
  await expect(failed).rejects.toThrow('the disk is gone');
  expect(await next).toBe('next');
});
