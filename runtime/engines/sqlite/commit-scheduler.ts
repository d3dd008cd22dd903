import { subscribe } from 'node:diagnostics_channel';
import { overloaded, unavailable } from '../../kernel/model/errors.ts';
import { limitWait } from '../../kernel/model/wait.ts';
import { Histogram } from '../../observability/histogram.ts';
import { durationLimits } from '../../observability/limits.ts';
import { maxPageBytes, maxWaiting } from '../../kernel/records/limits.ts';
import { groupLimits } from '../../kernel/records/store.ts';
import type { OrganizationWrite, Write, WriteResult } from '../../kernel/records/write.ts';
import type { Dml } from '../../kernel/sql/dml.ts';
import { changedBy, isLong, singleWritesOf } from '../../kernel/sql/writes.ts';
import type { DatabaseWorker } from './database-worker.ts';
import { asUnavailable, errorOf } from './failure.ts';
import type { FileGuard } from './file-guard.ts';
import { bytesPerCheckpoint, bytesPerWrite, maxAcceptingTurns } from './limits.ts';
import type { Reader } from './reader.ts';
import type { CommittedGroup, Writer } from './writer.ts';

/** The connections that this process has accepted so far. */
let accepted = 0;
subscribe('net.server.socket', () => accepted++);

class QueuedWrite {
  readonly write: OrganizationWrite;
  /** In bytes. */
  readonly size: number;
  readonly result = Promise.withResolvers<WriteResult>();
  isRunning = false;
  isExpired = false;

  constructor(write: OrganizationWrite) {
    this.write = write;
    this.size = sizeOf(write);
  }
}

/** Bytes that a write adds to the log, about. */
function sizeOf(write: Write): number {
  let size = 0;
  for (const single of singleWritesOf(write)) {
    const values = single.op === 'insert' ? single.values : single.op === 'update' ? Object.values(single.set) : [];
    size += bytesPerWrite;
    for (const value of values) if (typeof value === 'string') size += value.length;
  }
  return size;
}

/** The parts that commits need. */
interface Resources {
  readonly dml: Dml;
  /** Writes on the main thread. */
  readonly writer: Writer;
  readonly worker: DatabaseWorker;
  /** Reads on the connection of `writer`. */
  readonly reader: Reader;
  readonly fileGuard: FileGuard;
  /** Whether an fsync would block the main thread for too long. */
  readonly isSyncSlow: boolean;
  /** Milliseconds after which a write is rejected. */
  readonly maxDuration: number;
}

/**
 * Collects concurrent writes into groups. The main thread commits them, as handing a group to the worker thread takes longer; if
 * fsyncs are slow, or another connection is writing, the worker thread does. It also commits long writes, which have a queue of
 * their own: its groups take turns with the others.
 */
export class CommitScheduler {
  readonly #with: Resources;
  readonly #short: QueuedWrite[] = [];
  readonly #long: QueuedWrite[] = [];
  /** A group or a checkpoint is scheduled or running. */
  #isBusy = false;
  /** Whether the last group was one of long writes. */
  #wasLong = false;
  #sinceCheckpoint = 0;
  /** A checkpoint beside commits. */
  #moving: Promise<void> | undefined;
  /** Whether a checkpoint has left the part of the log that was written meanwhile. */
  #isRestDue = false;
  #onDrained: (() => void) | undefined;
  readonly groups = new Histogram(groupLimits);
  /** In seconds. */
  readonly commits = new Histogram(durationLimits);

  constructor(resources: Resources) {
    this.#with = resources;
  }

  /** Writes that wait for a group. */
  get length(): number {
    return this.#short.length + this.#long.length;
  }

  /**
   * Resolves when the write is on the disk.
   *
   * @throws ApiError `overloaded` if the write is not done: too many are waiting, or it has waited too long
   */
  write(write: OrganizationWrite): Promise<WriteResult> {
    const queued = new QueuedWrite(write);
    const queue = queued.size > maxPageBytes || isLong(this.#with.dml, write) ? this.#long : this.#short;
    if (queue.length >= maxWaiting) throw overloaded('Too many writes are waiting: nothing was done.');
    queue.push(queued);
    if (!this.#isBusy) this.#schedule();
    const { deadline = Infinity } = write.origin;
    const limit = Math.min(this.#with.maxDuration, deadline - performance.now());
    return limitWait(limit, queued.result.promise, () => this.#expire(queued));
  }

  /** Resolves when the queues are empty and no group is running. */
  async close(): Promise<void> {
    if (this.#isBusy) await new Promise<void>((resolve) => (this.#onDrained = resolve));
  }

  #schedule(turns = maxAcceptingTurns): void {
    this.#isBusy = true;
    // After the requests that have already arrived, so that their writes join the group.
    setImmediate(this.#afterAccepting, accepted, turns);
  }

  /** A turn of the event loop accepts one connection: if each turn ended in a commit, many new ones would wait for long. */
  readonly #afterAccepting = (before: number, turns: number): void => {
    if (accepted !== before && turns > 0) this.#schedule(turns - 1);
    else void this.#next();
  };

  async #next(): Promise<void> {
    if (this.#isRestDue) {
      // No commit runs meanwhile, so that the next one begins a new log.
      this.#isRestDue = false;
      await this.#checkpoint(true);
    } else if (this.#sinceCheckpoint >= bytesPerCheckpoint) {
      // If commits fill the log faster than it is moved, they wait.
      if (this.#moving) await this.#moving;
      else this.#moving = this.#moveLog();
    }
    this.#wasLong = this.#long.length > 0 && (this.#short.length === 0 || !this.#wasLong);
    await this.#commit(this.#wasLong ? this.#long : this.#short);
    this.#isBusy = false;
    if (this.length > 0) this.#schedule();
    else this.#onDrained?.();
  }

  async #moveLog(): Promise<void> {
    await this.#checkpoint(false);
    this.#isRestDue = true;
    this.#moving = undefined;
  }

  /** Moves the log into the database. */
  async #checkpoint(isLast: boolean): Promise<void> {
    this.#sinceCheckpoint = 0;
    // After a failure, the next one does it.
    await this.#with.worker.run('checkpoint', isLast).catch(() => undefined);
  }

  async #commit(queue: QueuedWrite[]): Promise<void> {
    const group = takeGroup(queue);
    if (group.length === 0) return;
    const writes = group.map(({ write }) => write);
    try {
      const onMain = queue === this.#short && !this.#with.isSyncSlow && this.#commitOnMain(writes);
      const committed = onMain || (await this.#with.worker.run('commit', writes));
      this.#confirm(writes.slice(0, committed.outcomes.length), committed);
      queue.unshift(...this.#resolve(group, committed));
    } catch (error) {
      for (const { result } of group) result.reject(asUnavailable(error));
    }
  }

  /** Blocks the main thread. Returns undefined if another connection is writing. */
  #commitOnMain(writes: readonly OrganizationWrite[]): CommittedGroup | undefined {
    const { fileGuard, writer } = this.#with;
    // Once the files are known to be gone, nothing more is committed.
    fileGuard.requireRecently();
    return writer.commitGroup(writes, false);
  }

  /** Before a write resolves, later reads must see it, and the file must be the one that the next start opens. */
  #confirm(writes: readonly OrganizationWrite[], { outcomes }: CommittedGroup): void {
    const { dml, fileGuard, reader } = this.#with;
    reader.noteCommit(changedBy(dml, writes, outcomes));
    fileGuard.require(' The write may have been done or not.');
  }

  /** Returns the writes that were left out. */
  #resolve(group: readonly QueuedWrite[], { outcomes, milliseconds }: CommittedGroup): QueuedWrite[] {
    this.groups.observe(outcomes.length);
    this.commits.observe(milliseconds / 1000);
    for (const [index, outcome] of outcomes.entries()) {
      const { size, result } = group[index] as QueuedWrite;
      this.#sinceCheckpoint += size;
      if (outcome.outcome === 'failed') result.reject(errorOf(outcome));
      else result.resolve(outcome);
    }
    const left = group.slice(outcomes.length);
    for (const queued of left) queued.isRunning = false;
    return left;
  }

  #expire(queued: QueuedWrite): void {
    queued.isExpired = true;
    queued.result.reject(
      queued.isRunning
        ? unavailable('The write has taken too long: it may have been done or not.')
        : overloaded('The write has waited too long: nothing was done.'),
    );
  }
}

/** Takes the first writes out of a queue until they are a group, without those whose time is over. */
function takeGroup(queue: QueuedWrite[]): QueuedWrite[] {
  const group: QueuedWrite[] = [];
  for (let size = 0; queue.length > 0 && size < maxPageBytes;) {
    const queued = queue.shift() as QueuedWrite;
    if (queued.isExpired) continue;
    queued.isRunning = true;
    group.push(queued);
    size += queued.size;
  }
  return group;
}
