import { statSync } from 'node:fs';
import { unavailable } from '../../errors.ts';

/** Milliseconds for which reads rely on the last check. */
const checkInterval = 1_000;

/**
 * The check that the open database file is still the one at its path. A file that is deleted, moved or replaced while it is
 * open still accepts reads and writes, and the writes are lost when it is closed.
 */
export class FileGuard {
  readonly #file: string;
  readonly #identity: string | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(file: string) {
    this.#file = file;
    this.#identity = identityOf(file);
  }

  /**
   * Checks that the file is still at its path: only then are earlier commits durable.
   *
   * @throws ApiError `unavailable` if it is not
   */
  require(): void {
    const current = identityOf(this.#file);
    const isSame = current === this.#identity;
    this.#checkedAt = isSame ? performance.now() : Number.NEGATIVE_INFINITY;
    if (isSame) return;
    const [state, remedy] =
      current === undefined
        ? ['is gone', 'Put it back, or restart the server.']
        : ['was replaced', 'Restart the server.'];
    throw unavailable(`The database file ${state}. ${remedy}`, new Error(`${this.#file} ${state}`));
  }

  /** Like `require`, with at most one check a second. */
  requireRecently(): void {
    if (performance.now() - this.#checkedAt > checkInterval) this.require();
  }
}

function identityOf(file: string): string | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
    return stats && `${stats.dev} ${stats.ino}`;
  } catch {
    // A folder without permission, or a failing disk.
    return undefined;
  }
}
