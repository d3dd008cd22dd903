import { overloaded, unavailable } from '../../errors.ts';
import { durationLimits, Histogram } from '../../observe/histogram.ts';
import { batchLimits, type OrganizationWrite, type WriteResult } from '../store.ts';
import { Timed, TimeLimit } from '../time-limit.ts';
import { lengthOf } from '../writes.ts';
import type { CommittedBatch, Outcome } from './committer.ts';
import { errorOf } from './failure.ts';

class QueuedWrite extends Timed {
  readonly write: OrganizationWrite;
  readonly length: number;
  readonly promise: Promise<WriteResult>;
  resolve!: (result: WriteResult) => void;
  reject!: (error: unknown) => void;

  constructor(write: OrganizationWrite, length: number) {
    super(performance.now());
    this.write = write;
    this.length = length;
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}

/** The maximum size of a batch, whose writes resolve together. */
interface BatchLimits {
  readonly writes: number;
  /** A batch ends after the write that reaches this number. The worker thread has a copy of them, and sends one back. */
  readonly characters: number;
}

/** Lower on the main thread, where reads wait for the batch. */
export const mainLimits: BatchLimits = { writes: 100, characters: 256 * 1024 };
export const workerLimits: BatchLimits = { writes: 500, characters: 4 * 1024 * 1024 };

/** Of long writes, as the worker thread leaves those out that it has no time for: they are copied again. */
const longLimits: BatchLimits = { writes: 100, characters: 256 * 1024 };

/** Writes that may wait: further ones are rejected. */
export const maxWaiting = { short: 10_000, long: 1_000 };

/** Milliseconds of an fsync on the main thread after which batches are committed on the worker thread for a period. */
const slowSync = 2;

/** Milliseconds of that period: the first one, and the longest after several slow fsyncs in a row. */
const minWorkerPeriod = 500;
const maxWorkerPeriod = 30_000;

/** Writes between two checkpoints, each of which takes several fsyncs. */
const writesPerCheckpoint = 2_000;

/** Characters that count as one more write. */
const charactersPerWrite = 4_096;

/** Commits batches. Each write of a batch is on the disk afterwards, or has failed. */
export interface BatchCommitter {
  /** Blocks the main thread. Returns undefined if another connection is writing. */
  commitOnMain(writes: readonly OrganizationWrite[]): CommittedBatch | undefined;
  /** The outcomes of the first writes, at least of one: the others would take too long, and are not begun. */
  commitOnWorker(writes: readonly OrganizationWrite[]): Promise<CommittedBatch>;
  /** Moves the write-ahead log into the database. No commit may run meanwhile, so that the log can restart. */
  checkpoint(): Promise<void>;
  /** Whether a write may take long. */
  isLong(write: OrganizationWrite): boolean;
}

/**
 * Collects concurrent writes into batches. Handing a batch to the worker thread takes longer than committing it, so that
 * it is committed on the main thread unless that would block reads: with a slow fsync, a locked database or long writes.
 * Those have a queue of their own, whose batches take turns with the others.
 */
export class WriteQueue {
  readonly #committer: BatchCommitter;
  readonly #short: QueuedWrite[] = [];
  readonly #long: QueuedWrite[] = [];
  readonly #timeLimit: TimeLimit<QueuedWrite>;
  /** A batch or a checkpoint is scheduled or running. */
  #isBusy = false;
  /** Whether the last batch was one of long writes. */
  #wasLong = false;
  /** The end of the period in which the worker thread commits, and its length. */
  #workerUntil = 0;
  #workerPeriod = 0;
  #sinceCheckpoint = 0;
  #onDrained: (() => void) | undefined;
  readonly batches = new Histogram(batchLimits);
  /** In seconds. */
  readonly commits = new Histogram(durationLimits);

  /** @param maxDuration milliseconds after which a write is rejected */
  constructor(committer: BatchCommitter, maxDuration: number) {
    this.#committer = committer;
    this.#timeLimit = new TimeLimit(maxDuration, (queued) => this.#expire(queued));
  }

  /** Writes that wait for a batch. */
  get length(): number {
    return this.#short.length + this.#long.length;
  }

  /** @throws ApiError `overloaded` if the write is not done: too many are waiting, or it has waited too long */
  write(write: OrganizationWrite): Promise<WriteResult> {
    const length = lengthOf(write);
    const isLong = length > mainLimits.characters || this.#committer.isLong(write);
    const [queue, max] = isLong ? [this.#long, maxWaiting.long] : [this.#short, maxWaiting.short];
    if (queue.length >= max) {
      return Promise.reject(overloaded('Too many writes are waiting: nothing was done.'));
    }
    const queued = new QueuedWrite(write, length);
    queue.push(queued);
    this.#timeLimit.add(queued);
    if (!this.#isBusy) this.#schedule();
    return queued.promise;
  }

  /** Resolves when the queue is empty and no batch is running. */
  async drain(): Promise<void> {
    if (this.#isBusy) await new Promise<void>((resolve) => (this.#onDrained = resolve));
  }

  #schedule(): void {
    this.#isBusy = true;
    // After the requests that have already arrived, so that their writes join the batch.
    setImmediate(() => this.#next());
  }

  #next(): void {
    if (this.#sinceCheckpoint >= writesPerCheckpoint) {
      this.#sinceCheckpoint = 0;
      void this.#committer.checkpoint().then(() => this.#finish());
      return;
    }
    this.#wasLong = this.#long.length > 0 && (this.#short.length === 0 || !this.#wasLong);
    if (this.#wasLong) {
      void this.#commitOnWorker(this.#long, longLimits);
    } else if (performance.now() >= this.#workerUntil && this.#commitOnMain()) {
      this.#finish();
    } else {
      void this.#commitOnWorker(this.#short, workerLimits);
    }
  }

  #finish(): void {
    this.#isBusy = false;
    if (this.#short.length + this.#long.length > 0) this.#schedule();
    else this.#onDrained?.();
  }

  #commitOnMain(): boolean {
    const batch = batchOf(this.#short, mainLimits);
    try {
      const committed = this.#committer.commitOnMain(batch.map(({ write }) => write));
      if (!committed) return false;
      this.#noteSync(committed.milliseconds);
      this.#count(committed);
      this.#resolve(batch, committed.outcomes);
    } catch (error) {
      this.#reject(batch, error);
    }
    this.#remove(this.#short, batch);
    return true;
  }

  async #commitOnWorker(queue: QueuedWrite[], limits: BatchLimits): Promise<void> {
    const batch = batchOf(queue, limits);
    this.#remove(queue, batch);
    try {
      const committed = await this.#committer.commitOnWorker(batch.map(({ write }) => write));
      this.#count(committed);
      this.#resolve(batch, committed.outcomes);
      queue.unshift(...batch.slice(committed.outcomes.length).filter((queued) => this.#timeLimit.has(queued)));
    } catch (error) {
      this.#reject(batch, error);
    }
    this.#finish();
  }

  #remove(queue: QueuedWrite[], batch: readonly QueuedWrite[]): void {
    queue.splice(0, batch.length);
    for (const { length } of batch) this.#sinceCheckpoint += 1 + length / charactersPerWrite;
  }

  #resolve(batch: readonly QueuedWrite[], outcomes: readonly Outcome[]): void {
    for (const [index, outcome] of outcomes.entries()) {
      const queued = batch[index] as QueuedWrite;
      this.#timeLimit.delete(queued);
      if (outcome.outcome === 'failed') queued.reject(errorOf(outcome));
      else queued.resolve(outcome);
    }
  }

  #reject(batch: readonly QueuedWrite[], error: unknown): void {
    for (const queued of batch) {
      this.#timeLimit.delete(queued);
      queued.reject(error);
    }
  }

  #expire(queued: QueuedWrite): void {
    for (const queue of [this.#short, this.#long]) {
      const index = queue.indexOf(queued);
      if (index === -1) continue;
      queue.splice(index, 1);
      queued.reject(overloaded('The write has waited too long: nothing was done.'));
    }
    // Of one that waits no more, the batch is running.
    queued.reject(unavailable('The write has taken too long: it may have been done or not.'));
  }

  #count({ outcomes, milliseconds }: CommittedBatch): void {
    // Nothing was committed.
    if (milliseconds === 0) return;
    this.batches.observe(outcomes.length);
    this.commits.observe(milliseconds / 1000);
  }

  #noteSync(milliseconds: number): void {
    const isSlow = milliseconds > slowSync;
    this.#workerPeriod = isSlow ? Math.min(maxWorkerPeriod, this.#workerPeriod * 2 || minWorkerPeriod) : 0;
    if (isSlow) this.#workerUntil = performance.now() + this.#workerPeriod;
  }
}

/** The first writes of a queue within the limits. */
function batchOf(queue: readonly QueuedWrite[], limits: BatchLimits): QueuedWrite[] {
  let sum = 0;
  const end = queue.findIndex(({ length }, index) => {
    if (index === limits.writes || sum > limits.characters) return true;
    sum += length;
    return false;
  });
  return queue.slice(0, end === -1 ? undefined : end);
}
