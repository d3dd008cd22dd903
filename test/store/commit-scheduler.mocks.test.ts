import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { unavailable } from '../../runtime/kernel/model/errors.ts';
import type { SingleWrite, Write, WriteResult } from '../../runtime/kernel/records/write.ts';
import { DatabaseWorker } from '../../runtime/engines/sqlite/database-worker.ts';
import { serviceName } from '../support/databases.ts';
import { type MainStore, openSqlite } from '../support/main-store.ts';
import { company, insertOf, office } from './contract.ts';

/** The disk that a start finds. */
const disk = vi.hoisted(() => ({ isSlow: false }));

vi.mock('../../runtime/engines/sqlite/sync-time.ts', () => ({ isSyncSlow: (): boolean => disk.isSlow }));

let folder: string;
let store: MainStore;
/** Another process. */
let other: DatabaseSync;
/** The tasks of the worker threads. */
const run = vi.spyOn(DatabaseWorker.prototype, 'run');

const open = async (maxDuration?: number): Promise<void> => {
  const file = join(folder, 'records.db');
  store = await openSqlite(file, [company, office], serviceName, undefined, maxDuration);
  other = new DatabaseSync(file);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'records-commits-'));
});

afterEach(async () => {
  vi.resetAllMocks();
  disk.isSlow = false;
  other.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const create = (name = 'x'): Promise<WriteResult> => store.write(insertOf(company, { name }));
/** A write that may take long. */
const remove = (id: string): Promise<WriteResult> => store.write({ op: 'delete', table: 'company', id, time: '' });
const batchOf = (count: number): Write => ({
  op: 'batch',
  table: 'company',
  writes: Array.from({ length: count }, () => insertOf(company) as SingleWrite),
  isTrial: false,
});
const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));
const written = expect.objectContaining({ outcome: 'written' }) as WriteResult;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const tasks = (task: string): readonly unknown[][] =>
  run.mock.calls.filter(([name]) => name === task).map(([, writes]) => writes as unknown as unknown[]);
const groups = (): number => store.metrics().groups.counts.reduce((sum, count) => sum + count);

test('the writes of one turn share a commit, which the main thread does', async () => {
  await open();
  expect(await times(20, create)).toEqual(Array.from({ length: 20 }, () => written));
  await create();
  expect(store.metrics().groups.sum).toBe(21);
  // Fewer than writes, also if a slow machine cannot do them all in the time of a group.
  expect(groups()).toBeLessThan(21);
  expect(run).not.toHaveBeenCalled();
});

test('more writes than a group takes are more groups, and a batch counts as its writes', async () => {
  await open();
  other.exec('begin immediate');
  const writes = Promise.all([times(8, () => store.write(batchOf(90))), create()]);
  for (let n = 0; n < 3; n++) await turn();
  // As another connection is writing, it is the worker thread that gets the group.
  expect(tasks('commit').map((group) => group.length)).toEqual([6]);
  other.exec('commit');
  await writes;
  expect(groups()).toBeGreaterThan(1);
});

test('the worker thread commits if an fsync is slow', async () => {
  disk.isSlow = true;
  await open();
  expect(await create()).toEqual(written);
  expect(tasks('commit')).toHaveLength(1);
});

test('the worker thread commits what may take long, what is long, and what finds a lock', async () => {
  await open();
  await remove('company_1');
  await create('x'.repeat(1_100_000));
  other.exec('begin immediate');
  const waiting = create();
  for (let n = 0; n < 3; n++) await turn();
  other.exec('commit');
  expect(await waiting).toEqual(written);
  expect(tasks('commit').map((writes) => writes.length)).toEqual([1, 1, 1]);
});

test('long texts are several groups', async () => {
  await open();
  await times(3, () => create('x'.repeat(1_100_000)));
  expect(tasks('commit').map((writes) => writes.length)).toEqual([1, 1, 1]);
});

/** Has the next task of a worker thread wait for the function that this returns. */
function holdTask(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  run.mockImplementationOnce(() => promise);
  return resolve;
}

test('every 2,000 writes, a checkpoint moves the log beside commits, and its last part without them', async () => {
  await open();
  const modes = (): unknown[] => tasks('checkpoint').map((isLast) => (isLast ? 'last' : 'beside'));
  const [beside, last] = [holdTask(), holdTask()];
  for (let n = 0; n < 30; n++) await times(100, create);
  expect(modes()).toEqual(['beside']);
  beside();
  await turn();
  const waiting = create();
  const isDone = await Promise.race([waiting.then(() => true), turn().then(turn).then(turn)]);
  expect(isDone).toBeUndefined();
  expect(modes()).toEqual(['beside', 'last']);
  last();
  expect(await waiting).toEqual(written);
});

test('no second checkpoint begins beside the first one: writes wait for it', async () => {
  await open();
  const beside = holdTask();
  const ends = times(6_000, create);
  for (let n = 0; n < 50; n++) await turn();
  expect(tasks('checkpoint')).toEqual([false]);
  expect(store.metrics().groups.sum).toBeLessThan(6_000);
  beside();
  for (const end of await ends) expect(end).toEqual(written);
});

test('a group that fails on the worker thread is rejected, and the next one is not', async () => {
  await open();
  const lost = unavailable('The database worker has failed: the write may have been done or not.', undefined);
  run.mockRejectedValueOnce(lost);
  const failed = [remove('company_1'), remove('company_2')];
  for (const write of failed) await expect(write).rejects.toMatchObject({ code: 'unavailable' });
  expect(await remove('company_3')).toEqual({ outcome: 'not_found', id: 'company_3' });
});

test('long writes have a queue of their own, and take turns with the others', async () => {
  await open();
  const { promise, resolve } = Promise.withResolvers<void>();
  const done: string[] = [];
  const note = (name: string, write: Promise<unknown>): Promise<unknown> => write.then(() => done.push(name));
  // Only one write of the first group is done in time.
  run.mockImplementationOnce(async () => {
    await promise;
    return { outcomes: [{ outcome: 'deleted' }], milliseconds: 1 };
  });
  const writes = [note('long 1', remove('company_1')), note('long 2', remove('company_2'))];
  await turn();
  writes.push(note('short', create()), note('long 3', remove('company_3')));
  resolve();
  await Promise.all(writes);
  expect(done).toEqual(['long 1', 'short', 'long 2', 'long 3']);
  // On a slow machine, the second group may leave its last write to a third one.
  expect(
    tasks('commit')
      .slice(0, 2)
      .map((group) => group.length),
  ).toEqual([2, 2]);
});

test('more writes than may wait are rejected, and those that wait are not', async () => {
  await open();
  other.exec('begin immediate');
  const begun = create();
  for (let n = 0; n < 3; n++) await turn();
  const waiting = Array.from({ length: 10_000 }, () => create());
  const rejected = { code: 'overloaded', message: expect.stringContaining('nothing was done') as string };
  await expect(create()).rejects.toMatchObject(rejected);
  other.exec('commit');
  expect(new Set((await Promise.all([begun, ...waiting])).map(({ outcome }) => outcome))).toEqual(new Set(['written']));
});

test('a write that its group leaves out after its time is not done later', async () => {
  await open(3_000);
  const { promise, resolve } = Promise.withResolvers<void>();
  run.mockImplementationOnce(async () => {
    await promise;
    return { outcomes: [{ outcome: 'deleted' }], milliseconds: 1 };
  });
  const late = await Promise.allSettled([remove('company_1'), remove('company_2')]);
  for (const end of late) expect(end).toMatchObject({ reason: { code: 'unavailable' } });
  resolve();
  expect(await remove('company_3')).toMatchObject({ outcome: 'not_found' });
  expect(tasks('commit').map((group) => group.length)).toEqual([2, 1]);
});

test('a store that closes finishes its writes', async () => {
  await open();
  const writes = [create(), remove('company_1')];
  await store.close();
  expect(await Promise.all(writes)).toEqual([written, { outcome: 'not_found', id: 'company_1' }]);
  await expect(create()).rejects.toMatchObject({ code: 'unavailable' });
});
