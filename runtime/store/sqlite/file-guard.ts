import { statSync } from 'node:fs';
import { unavailable } from '../../errors.ts';

/** How long a look holds for reads, in milliseconds. */
const lookHolds = 1_000;

/**
 * Where an open database file belongs. A file that is deleted, moved or replaced while it is open goes on taking reads
 * and writes, and all of them are lost when it is closed.
 */
export class FileGuard {
  readonly #file: string;
  readonly #identity: string | undefined;
  #seen = Number.NEGATIVE_INFINITY;

  /** Remembers which file this is now. */
  constructor(file: string) {
    this.#file = file;
    this.#identity = identityOf(file);
  }

  /**
   * Looks whether the file is still where it was opened: what was committed before counts only then.
   *
   * @throws ApiError `unavailable` where it is not.
   */
  require(): void {
    const now = identityOf(this.#file);
    if (now === this.#identity) {
      this.#seen = performance.now();
      return;
    }
    this.#seen = Number.NEGATIVE_INFINITY;
    const cause = new Error(`${this.#file} is ${now === undefined ? 'gone' : 'another file than the one opened'}`);
    throw now === undefined
      ? unavailable('The database file is gone. Put it back, or restart the server.', cause)
      : unavailable('The database file was replaced. Restart the server.', cause);
  }

  /** As `require`, looking once a second at most. */
  requireLately(): void {
    if (performance.now() - this.#seen > lookHolds) this.require();
  }
}

function identityOf(file: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false, bigint: true });
    return found && `${found.dev} ${found.ino}`;
  } catch {
    // A folder that may not be looked into, a disk that fails: it cannot be said to be there.
    return undefined;
  }
}
