import { durationLimits, Histogram } from '../../observe/histogram.ts';
import { batchLimits, type Write, type WriteResult } from '../store.ts';
import { lengthOf } from '../writes.ts';
import type { CommittedBatch, Outcome } from './committer.ts';
import { errorOf } from './failure.ts';

type QueuedWrite = PromiseWithResolvers<WriteResult> & { readonly write: Write };

/** The maximum size of a batch, whose writes resolve together. */
interface BatchLimits {
  readonly writes: number;
  /** A batch ends after the write that reaches this number. The worker thread has a copy of them, and sends one back. */
  readonly characters: number;
}

/** Lower on the main thread, where reads wait for the batch. */
export const mainLimits: BatchLimits = { writes: 100, characters: 256 * 1024 };
export const workerLimits: BatchLimits = { writes: 500, characters: 4 * 1024 * 1024 };

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
  commitOnMain(writes: readonly Write[]): CommittedBatch | undefined;
  commitOnWorker(writes: readonly Write[]): Promise<CommittedBatch>;
  /** Moves the write-ahead log into the database. No commit may run meanwhile, so that the log can restart. */
  checkpoint(): Promise<void>;
  /** Whether a write may take long. */
  isLong(write: Write): boolean;
}

/**
 * Collects concurrent writes into batches. Handing a batch to the worker thread takes longer than committing it, so that
 * it is committed on the main thread unless that would block reads: with a slow fsync, a locked database or a long write.
 */
export class WriteQueue {
  readonly #committer: BatchCommitter;
  #queue: QueuedWrite[] = [];
  /** A batch or a checkpoint is scheduled or running. */
  #isBusy = false;
  /** The end of the period in which the worker thread commits, and its length. */
  #workerUntil = 0;
  #workerPeriod = 0;
  #sinceCheckpoint = 0;
  #onDrained: (() => void) | undefined;
  readonly batches = new Histogram(batchLimits);
  /** In seconds. */
  readonly commits = new Histogram(durationLimits);

  constructor(committer: BatchCommitter) {
    this.#committer = committer;
  }

  /** Writes that wait for a batch. */
  get length(): number {
    return this.#queue.length;
  }

  write(write: Write): Promise<WriteResult> {
    const queued = { write, ...Promise.withResolvers<WriteResult>() };
    this.#queue.push(queued);
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
    const batch = this.#batch(mainLimits);
    if (!this.#mayTakeLong(batch) && this.#commitOnMain(batch)) this.#finish();
    else void this.#commitOnWorker(this.#batch(workerLimits));
  }

  #finish(): void {
    this.#isBusy = false;
    if (this.#queue.length > 0) this.#schedule();
    else this.#onDrained?.();
  }

  #commitOnMain(batch: readonly QueuedWrite[]): boolean {
    try {
      const committed = this.#committer.commitOnMain(batch.map(({ write }) => write));
      if (!committed) return false;
      this.#noteSync(committed.milliseconds);
      this.#count(committed);
      resolveAll(batch, committed.outcomes);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#remove(batch);
    return true;
  }

  async #commitOnWorker(batch: readonly QueuedWrite[]): Promise<void> {
    this.#remove(batch);
    try {
      const committed = await this.#committer.commitOnWorker(batch.map(({ write }) => write));
      this.#count(committed);
      resolveAll(batch, committed.outcomes);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#finish();
  }

  /** The first writes of the queue within the limits. */
  #batch(limits: BatchLimits): QueuedWrite[] {
    let length = 0;
    const end = this.#queue.findIndex(({ write }, index) => {
      if (index === limits.writes || length > limits.characters) return true;
      length += lengthOf(write);
      return false;
    });
    return this.#queue.slice(0, end === -1 ? undefined : end);
  }

  /** Removes a batch from the queue. */
  #remove(batch: readonly QueuedWrite[]): void {
    this.#queue = this.#queue.slice(batch.length);
    for (const { write } of batch) this.#sinceCheckpoint += 1 + lengthOf(write) / charactersPerWrite;
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

  #mayTakeLong(batch: readonly QueuedWrite[]): boolean {
    return (
      performance.now() < this.#workerUntil ||
      batch.some(({ write }) => lengthOf(write) > mainLimits.characters || this.#committer.isLong(write))
    );
  }
}

function resolveAll(batch: readonly QueuedWrite[], outcomes: readonly Outcome[]): void {
  batch.forEach(({ resolve, reject }, index) => {
    const outcome = outcomes[index] as Outcome;
    if (outcome.outcome === 'failed') reject(errorOf(outcome));
    else resolve(outcome);
  });
}
