import { realpathSync, statSync } from 'node:fs';
import { unavailable } from '../../kernel/model/errors.ts';
import { checkInterval } from '../../kernel/model/limits.ts';

interface GuardedFile {
  readonly path: string;
  /** Its name in messages. */
  readonly name: string;
  readonly identity: string | undefined;
}

/**
 * The check that the files of the open database are still the ones at their paths: the database, its write-ahead log and
 * the shared memory by which processes coordinate. A file that is deleted, moved or replaced while it is open still accepts
 * reads and writes, and the writes are lost when it is closed. SQLite itself deletes the latter two only when the last
 * connection is closed; a checkpoint keeps them.
 */
export class FileGuard {
  /** The database, its write-ahead log and its shared memory. */
  readonly #files: readonly GuardedFile[];
  readonly #checkpointLostWal: () => void;
  #checkedAt = -Infinity;

  /**
   * @param file a database in WAL mode, from which an open connection has read
   * @param checkpointLostWal moves the contents of a write-ahead log that is gone, but still open, into the database
   */
  constructor(file: string, checkpointLostWal: () => void) {
    // If the file is a symbolic link, SQLite creates the others beside its target.
    const target = realpathSync(file);
    this.#files = [
      { path: file, name: 'The database file' },
      { path: `${target}-wal`, name: 'The -wal file of the database' },
      { path: `${target}-shm`, name: 'The -shm file of the database' },
    ].map((guarded) => ({ ...guarded, identity: identityOf(guarded.path) }));
    this.#checkpointLostWal = checkpointLostWal;
  }

  /**
   * Checks that the files are still at their paths: only then are earlier commits durable.
   *
   * @param consequence what else the message of the error says
   * @throws ApiError `unavailable` if they are not
   */
  require(consequence = ''): void {
    const missing = this.#files.filter(({ path, identity }) => identityOf(path) !== identity);
    this.#checkedAt = missing.length === 0 ? performance.now() : -Infinity;
    const [first] = missing;
    if (!first) return;
    const replaced = missing.find(({ path }) => identityOf(path) !== undefined);
    // If none is replaced, no other process has opened the database: that would have created another log.
    if (!replaced && first === this.#files[1]) this.#checkpointLostWal();
    const { name, path } = replaced ?? first;
    const [state, remedy] = replaced
      ? ['was replaced', 'Restart the server.']
      : ['is gone', 'Put it back, or restart the server.'];
    throw unavailable(`${name} ${state}. ${remedy}${consequence}`, new Error(`${path} ${state}. ${remedy}`));
  }

  /** Like `require`, with at most one check a second. */
  requireRecently(): void {
    if (performance.now() - this.#checkedAt > checkInterval) this.require();
  }
}

/** A text that tells a file from another one at the same path; undefined if there is none. */
export function identityOf(file: string): string | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
    return stats && `${stats.dev} ${stats.ino}`;
  } catch {
    // A folder without permission, or a failing disk.
    return undefined;
  }
}
