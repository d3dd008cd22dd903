import { overloaded, unavailable } from '../model/errors.ts';
import { durationLimits, Histogram } from '../observability/histogram.ts';
import { groupLimits, type OrganizationWrite, type WriteResult } from '../records/store.ts';
import { Timed, TimeLimit } from '../records/time-limit.ts';
import { countOf, lengthOf } from '../sql/writes.ts';
import type { CommittedGroup, Outcome } from './committer.ts';
import { errorOf } from './failure.ts';

class QueuedWrite extends Timed {
  readonly write: OrganizationWrite;
  readonly length: number;
  readonly count: number;
  readonly promise: Promise<WriteResult>;
  resolve!: (result: WriteResult) => void;
  reject!: (error: unknown) => void;

  constructor(write: OrganizationWrite, length: number) {
    super(performance.now());
    this.write = write;
    this.length = length;
    this.count = countOf(write);
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}

/** The maximum size of a group, whose writes resolve together. It ends with the write that reaches one of them. */
interface GroupLimits {
  readonly writes: number;
  /** The worker thread has a copy of them, and sends one back. */
  readonly characters: number;
}

/** Lower on the main thread, where reads wait for the group. */
export const mainLimits: GroupLimits = { writes: 100, characters: 256 * 1024 };
export const workerLimits: GroupLimits = { writes: 500, characters: 4 * 1024 * 1024 };

/** The limits of a group of long writes: the worker thread leaves out those that it has no time for, and they are copied again. */
const longLimits: GroupLimits = { writes: 100, characters: 256 * 1024 };

/** Writes that may wait: further ones are rejected. */
export const maxWaiting = { short: 10_000, long: 1_000 };

/** Writes between two checkpoints, each of which takes several fsyncs. */
const writesPerCheckpoint = 2_000;

/** Characters that count as one more write. */
const charactersPerWrite = 4_096;

/** Commits groups. Each write of a group is on the disk afterwards, or has failed. */
export interface GroupCommitter {
  /**
   * Blocks the main thread. The outcomes of the first writes, as `commitOnWorker`; undefined if another connection is writing.
   */
  commitOnMain(writes: readonly OrganizationWrite[]): CommittedGroup | undefined;
  /** The outcomes of the first writes, at least of one: the others would take too long, and are not begun. */
  commitOnWorker(writes: readonly OrganizationWrite[]): Promise<CommittedGroup>;
  /** Moves the write-ahead log into the database. No commit may run meanwhile, so that the log can restart. */
  checkpoint(): Promise<void>;
  /** Whether a write may take long. */
  isLong(write: OrganizationWrite): boolean;
}

/**
 * Collects concurrent writes into groups. The main thread commits them, as handing a group to the worker thread takes longer; if
 * fsyncs are slow, or another connection is writing, the worker thread does. It also commits long writes, which have a queue of
 * their own: its groups take turns with the others.
 */
export class WriteQueue {
  readonly #committer: GroupCommitter;
  readonly #isSyncSlow: boolean;
  readonly #short: QueuedWrite[] = [];
  readonly #long: QueuedWrite[] = [];
  readonly #timeLimit: TimeLimit<QueuedWrite>;
  /** A group or a checkpoint is scheduled or running. */
  #isBusy = false;
  /** Whether the last group was one of long writes. */
  #wasLong = false;
  #sinceCheckpoint = 0;
  #onDrained: (() => void) | undefined;
  readonly groups = new Histogram(groupLimits);
  /** In seconds. */
  readonly commits = new Histogram(durationLimits);

  /**
   * @param isSyncSlow whether an fsync would block the main thread for too long
   * @param maxDuration milliseconds after which a write is rejected
   */
  constructor(committer: GroupCommitter, isSyncSlow: boolean, maxDuration: number) {
    this.#committer = committer;
    this.#isSyncSlow = isSyncSlow;
    this.#timeLimit = new TimeLimit(maxDuration, (queued) => this.#expire(queued));
  }

  /** Writes that wait for a group. */
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

  /** Resolves when the queue is empty and no group is running. */
  async drain(): Promise<void> {
    if (this.#isBusy) await new Promise<void>((resolve) => (this.#onDrained = resolve));
  }

  #schedule(): void {
    this.#isBusy = true;
    // After the requests that have already arrived, so that their writes join the group.
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
    } else if (!this.#isSyncSlow && this.#commitOnMain()) {
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
    const group = groupOf(this.#short, mainLimits);
    try {
      const committed = this.#committer.commitOnMain(group.map(({ write }) => write));
      if (!committed) return false;
      const { outcomes } = committed;
      this.#count(committed);
      this.#resolve(group, outcomes);
      this.#remove(this.#short, group.slice(0, outcomes.length));
    } catch (error) {
      this.#reject(group, error);
      this.#remove(this.#short, group);
    }
    return true;
  }

  async #commitOnWorker(queue: QueuedWrite[], limits: GroupLimits): Promise<void> {
    const group = groupOf(queue, limits);
    this.#remove(queue, group);
    try {
      const committed = await this.#committer.commitOnWorker(group.map(({ write }) => write));
      this.#count(committed);
      this.#resolve(group, committed.outcomes);
      queue.unshift(...group.slice(committed.outcomes.length).filter((queued) => this.#timeLimit.has(queued)));
    } catch (error) {
      this.#reject(group, error);
    }
    this.#finish();
  }

  #remove(queue: QueuedWrite[], group: readonly QueuedWrite[]): void {
    queue.splice(0, group.length);
    for (const { count, length } of group) this.#sinceCheckpoint += count + length / charactersPerWrite;
  }

  #resolve(group: readonly QueuedWrite[], outcomes: readonly Outcome[]): void {
    for (const [index, outcome] of outcomes.entries()) {
      const queued = group[index] as QueuedWrite;
      this.#timeLimit.delete(queued);
      if (outcome.outcome === 'failed') queued.reject(errorOf(outcome));
      else queued.resolve(outcome);
    }
  }

  #reject(group: readonly QueuedWrite[], error: unknown): void {
    for (const queued of group) {
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
    // The group of a write that waits no more is running.
    queued.reject(unavailable('The write has taken too long: it may have been done or not.'));
  }

  #count({ outcomes, milliseconds }: CommittedGroup): void {
    // Nothing was committed.
    if (milliseconds === 0) return;
    this.groups.observe(outcomes.length);
    this.commits.observe(milliseconds / 1000);
  }
}

/** The first writes of a queue within the limits. */
function groupOf(queue: readonly QueuedWrite[], limits: GroupLimits): QueuedWrite[] {
  let writes = 0;
  let characters = 0;
  const end = queue.findIndex(({ count, length }) => {
    if (writes >= limits.writes || characters > limits.characters) return true;
    writes += count;
    characters += length;
    return false;
  });
  return queue.slice(0, end === -1 ? undefined : end);
}
