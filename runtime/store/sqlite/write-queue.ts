import type { Write, WriteResult } from '../store.ts';
import type { Committed, Failure, Outcome } from './committer.ts';
import { asUnavailable } from './failure.ts';

interface Waiting {
  readonly write: Write;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Writes that are committed together at most: the last of them waits for all of them. */
export const largestGroup = 500;

/** Characters of text after which a group is closed: the thread has a copy of it, and hands back another. */
const longestGroup = 4 * 1024 * 1024;

/** The same where reads wait for the group as well. */
export const largestGroupHere = 100;
const longestGroupHere = 256 * 1024;

/** An fsync on this thread that takes longer, in milliseconds, is the last one there for a while. */
const slowSync = 2;

/** How long that while is, in milliseconds: at first, and after many slow ones in a row. */
const shortWhile = 500;
const longWhile = 30_000;

/**
 * Writes between two groups that go to the other thread for the sake of the journal: whoever commits there also moves it
 * into the database where it is long enough, which takes several fsyncs.
 */
const writesPerCheckpoint = 2_000;

/** So many characters count as a write. */
const charactersPerWrite = 4_096;

/** How groups of writes are committed. */
export interface Committing {
  /** On this thread, while all else waits. Undefined where another connection is writing. */
  here(writes: readonly Write[]): Committed | undefined;
  /** On another thread; where `movesJournal`, when nothing keeps the journal from being moved whole. */
  there(writes: readonly Write[], movesJournal: boolean): Promise<readonly Outcome[]>;
  /** Whether a write may take long. */
  isLong(write: Write): boolean;
  /** A group is on the disk. May throw: its writes do not count then. */
  committed(writes: readonly Write[]): void;
}

/**
 * Gathers writes that arrive together into groups. To hand a group to another thread costs more than to commit it, so
 * that a group is committed on this one unless the reads would have to wait: where an fsync takes long, a lock is held, or
 * there is much to do.
 */
export class WriteQueue {
  readonly #committing: Committing;
  #waiting: Waiting[] = [];
  #isScheduled = false;
  #isUnderWay = false;
  /** Until when an fsync is taken to be slow, and for how long that was. */
  #slowUntil = 0;
  #while = 0;
  #sinceCheckpoint = 0;
  #drained: (() => void) | undefined;

  constructor(committing: Committing) {
    this.#committing = committing;
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
      this.#commit();
    });
  }

  #commit(): void {
    const group = this.#next(largestGroupHere, longestGroupHere);
    if (!this.#mayTakeLong(group)) {
      const done = this.#committing.here(group.map(({ write }) => write));
      if (done) {
        this.#waiting = this.#waiting.slice(group.length);
        this.#noteSync(done.milliseconds);
        this.#sinceCheckpoint += weightOf(group);
        this.#answer(group, done.outcomes);
        this.#goOn();
        return;
      }
    }
    void this.#commitThere(this.#waiting.splice(0, this.#next(largestGroup, longestGroup).length));
  }

  /** The writes that have waited longest: at most so many, with so many characters and one more write. */
  #next(count: number, characters: number): Waiting[] {
    let length = 0;
    const end = this.#waiting.findIndex(({ write }, place) => {
      if (place === count || length > characters) return true;
      length += lengthOf(write);
      return false;
    });
    return this.#waiting.slice(0, end === -1 ? undefined : end);
  }

  #noteSync(milliseconds: number): void {
    this.#while = milliseconds > slowSync ? Math.min(longWhile, this.#while * 2 || shortWhile) : 0;
    if (this.#while > 0) this.#slowUntil = performance.now() + this.#while;
  }

  #mayTakeLong(group: readonly Waiting[]): boolean {
    return (
      performance.now() < this.#slowUntil ||
      this.#sinceCheckpoint >= writesPerCheckpoint ||
      group.some(({ write }) => lengthOf(write) > longestGroupHere || this.#committing.isLong(write))
    );
  }

  async #commitThere(group: readonly Waiting[]): Promise<void> {
    this.#isUnderWay = true;
    const movesJournal = this.#sinceCheckpoint >= writesPerCheckpoint;
    this.#sinceCheckpoint = movesJournal ? 0 : this.#sinceCheckpoint + weightOf(group);
    try {
      const outcomes = await this.#committing.there(
        group.map(({ write }) => write),
        movesJournal,
      );
      this.#answer(group, outcomes);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    this.#isUnderWay = false;
    this.#goOn();
  }

  #goOn(): void {
    if (this.#waiting.length > 0) this.#schedule();
    else this.#drained?.();
  }

  #answer(group: readonly Waiting[], outcomes: readonly Outcome[]): void {
    let refusal: unknown;
    try {
      this.#committing.committed(group.map(({ write }) => write));
    } catch (error) {
      refusal = error;
    }
    group.forEach(({ resolve, reject }, place) => {
      const outcome = outcomes[place] as Outcome;
      if (refusal !== undefined) reject(refusal);
      else if (outcome.outcome === 'failed') reject(errorOf(outcome));
      else resolve(outcome);
    });
  }
}

/** How many writes a group counts as, by what it adds to the journal. */
const weightOf = (group: readonly Waiting[]): number =>
  group.reduce((sum, { write }) => sum + 1 + lengthOf(write) / charactersPerWrite, 0);

/** The characters of the texts that a write stores. */
function lengthOf(write: Write): number {
  let length = 0;
  const values = write.op === 'insert' ? write.values : write.op === 'update' ? Object.values(write.set) : [];
  for (const value of values) if (typeof value === 'string') length += value.length;
  return length;
}

const errorOf = ({ message, errcode }: Failure): unknown =>
  asUnavailable(Object.assign(new Error(message), errcode === undefined ? {} : { errcode }));
