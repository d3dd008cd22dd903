import type { Write, WriteResult } from '../store.ts';
import { lengthOf } from '../writes.ts';
import type { CommittedBatch, Outcome } from './committer.ts';
import { errorOf } from './failure.ts';

interface Waiting {
  readonly write: Write;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/** How large a batch may be: the last write of it waits for all of them. */
interface BatchLimits {
  readonly writes: number;
  /** Characters of text after which it is closed. The worker thread has a copy of it, and hands back another. */
  readonly characters: number;
}

/** On the main thread, reads wait for the batch as well. */
export const mainLimits: BatchLimits = { writes: 100, characters: 256 * 1024 };
export const workerLimits: BatchLimits = { writes: 500, characters: 4 * 1024 * 1024 };

/** An fsync on the main thread that takes longer, in milliseconds, is the last one there for a while. */
const slowSync = 2;

/** How long that while is, in milliseconds: at first, and after many slow ones in a row. */
const minWorkerPeriod = 500;
const maxWorkerPeriod = 30_000;

/** Writes between two checkpoints, which take several fsyncs. */
const writesPerCheckpoint = 2_000;

/** So many characters count as a write. */
const charactersPerWrite = 4_096;

/** Commits batches: what it gives is on the disk, or not done. */
export interface BatchCommitter {
  /** On the main thread, while all else waits. Undefined where another connection is writing. */
  commitOnMain(writes: readonly Write[]): CommittedBatch | undefined;
  commitOnWorker(writes: readonly Write[]): Promise<readonly Outcome[]>;
  /** Moves the write-ahead log into the database. Nothing may be committed meanwhile, so that it can begin anew. */
  checkpoint(): Promise<void>;
  /** Whether a write may take long. */
  isLong(write: Write): boolean;
}

/**
 * Gathers writes that arrive together into batches. To hand a batch to the worker thread costs more than to commit it, so
 * that it is committed on the main thread unless the reads would have to wait: where an fsync takes long, a lock is held, or
 * there is much to do.
 */
export class WriteQueue {
  readonly #committer: BatchCommitter;
  #waiting: Waiting[] = [];
  #isScheduled = false;
  #isUnderWay = false;
  /** Until when an fsync is taken to be slow, and for how long that was. */
  #workerUntil = 0;
  #workerPeriod = 0;
  #sinceCheckpoint = 0;
  #drained: (() => void) | undefined;

  constructor(committer: BatchCommitter) {
    this.#committer = committer;
  }

  write(write: Write): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves when all that was handed over is answered. */
  async drain(): Promise<void> {
    if (this.#waiting.length === 0 && !this.#isUnderWay) return;
    await new Promise<void>((resolve) => (this.#drained = resolve));
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isUnderWay) return;
    this.#isScheduled = true;
    // After the requests that have arrived by now, so that their writes join this one.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#commitNext();
    });
  }

  #commitNext(): void {
    if (this.#sinceCheckpoint >= writesPerCheckpoint) {
      void this.#checkpoint();
      return;
    }
    const batch = this.#next(mainLimits);
    if (!this.#mayTakeLong(batch) && this.#commitOnMain(batch)) this.#goOn();
    else void this.#commitOnWorker(this.#take(this.#next(workerLimits)));
  }

  #goOn(): void {
    this.#isUnderWay = false;
    if (this.#waiting.length > 0) this.#schedule();
    else this.#drained?.();
  }

  async #checkpoint(): Promise<void> {
    this.#isUnderWay = true;
    this.#sinceCheckpoint = 0;
    await this.#committer.checkpoint();
    this.#goOn();
  }

  #commitOnMain(batch: readonly Waiting[]): boolean {
    try {
      const committed = this.#committer.commitOnMain(batch.map(({ write }) => write));
      if (!committed) return false;
      this.#take(batch);
      this.#noteSync(committed.milliseconds);
      answer(batch, committed.outcomes);
    } catch (error) {
      refuse(this.#take(batch), error);
    }
    return true;
  }

  async #commitOnWorker(batch: readonly Waiting[]): Promise<void> {
    this.#isUnderWay = true;
    try {
      answer(batch, await this.#committer.commitOnWorker(batch.map(({ write }) => write)));
    } catch (error) {
      refuse(batch, error);
    }
    this.#goOn();
  }

  /** The writes that have waited longest: at most so many, with so many characters and one more write. */
  #next(limits: BatchLimits): Waiting[] {
    let length = 0;
    const end = this.#waiting.findIndex(({ write }, place) => {
      if (place === limits.writes || length > limits.characters) return true;
      length += lengthOf(write);
      return false;
    });
    return this.#waiting.slice(0, end === -1 ? undefined : end);
  }

  /** Takes a batch out of the queue. */
  #take(batch: readonly Waiting[]): readonly Waiting[] {
    this.#waiting = this.#waiting.slice(batch.length);
    for (const { write } of batch) this.#sinceCheckpoint += 1 + lengthOf(write) / charactersPerWrite;
    return batch;
  }

  #noteSync(milliseconds: number): void {
    const isSlow = milliseconds > slowSync;
    this.#workerPeriod = isSlow ? Math.min(maxWorkerPeriod, this.#workerPeriod * 2 || minWorkerPeriod) : 0;
    if (isSlow) this.#workerUntil = performance.now() + this.#workerPeriod;
  }

  #mayTakeLong(batch: readonly Waiting[]): boolean {
    return (
      performance.now() < this.#workerUntil ||
      batch.some(({ write }) => lengthOf(write) > mainLimits.characters || this.#committer.isLong(write))
    );
  }
}

function answer(batch: readonly Waiting[], outcomes: readonly Outcome[]): void {
  batch.forEach(({ resolve, reject }, place) => {
    const outcome = outcomes[place] as Outcome;
    if (outcome.outcome === 'failed') reject(errorOf(outcome));
    else resolve(outcome);
  });
}

const refuse = (batch: readonly Waiting[], error: unknown): void => {
  for (const { reject } of batch) reject(error);
};
