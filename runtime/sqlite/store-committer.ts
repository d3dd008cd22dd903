import type { Dml } from '../sql/table-sql.ts';
import type { OrganizationWrite } from '../records/store.ts';
import { changedBy, isLong } from '../sql/writes.ts';
import type { CommittedGroup, Committer, Outcome } from './committer.ts';
import type { DatabaseWorker } from './database-worker.ts';
import type { FileGuard } from './file-guard.ts';
import type { ReadTransaction } from './read-transaction.ts';
import type { GroupCommitter } from './write-queue.ts';

/** Milliseconds after which a group on the main thread leaves the rest of its writes to the next one. */
const maxMainDuration = 25;

/** Commits groups on the main thread or the worker thread, and invalidates what they change in the cache. */
export class StoreCommitter implements GroupCommitter {
  readonly #dml: Dml;
  readonly #main: Committer;
  readonly #worker: DatabaseWorker;
  readonly #reads: ReadTransaction;
  readonly #fileGuard: FileGuard;

  /** @param main a committer on the connection of `reads` */
  constructor(dml: Dml, main: Committer, worker: DatabaseWorker, reads: ReadTransaction, fileGuard: FileGuard) {
    this.#dml = dml;
    this.#main = main;
    this.#worker = worker;
    this.#reads = reads;
    this.#fileGuard = fileGuard;
  }

  /** @throws ApiError `unavailable` if the files are no longer at their paths: the writes may be lost */
  commitOnMain(writes: readonly OrganizationWrite[]): CommittedGroup | undefined {
    // Once they are known to be gone, nothing more is committed.
    this.#fileGuard.requireRecently();
    this.#reads.end();
    const committed = this.#main.commit(writes, false, maxMainDuration);
    if (committed) this.#confirm(writes, committed.outcomes);
    return committed;
  }

  /** @throws ApiError `unavailable` like `commitOnMain`, and if the worker thread fails */
  async commitOnWorker(writes: readonly OrganizationWrite[]): Promise<CommittedGroup> {
    // A restarted thread must open the same file.
    this.#fileGuard.require();
    const committed = await this.#worker.commit(writes);
    this.#confirm(writes, committed.outcomes);
    return committed;
  }

  checkpoint(): Promise<void> {
    return this.#worker.checkpoint();
  }

  isLong(write: OrganizationWrite): boolean {
    return isLong(this.#dml, write);
  }

  /** Before a write resolves, later reads must see it, and the file must be the one that the next start opens. */
  #confirm(writes: readonly OrganizationWrite[], outcomes: readonly Outcome[]): void {
    const [first] = outcomes;
    // The writes of a group share one commit.
    if (first?.outcome === 'failed' && first.isUnconfirmed) void this.#worker.overwrite();
    const changed = writes.slice(0, outcomes.length).map((write) => changedBy(this.#dml, write));
    this.#reads.invalidate(changed.includes(undefined) ? undefined : changed.flatMap((ids) => ids ?? []));
    this.#fileGuard.require(' The write may have been done or not.');
  }
}
