import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';

const mount = (...args: string[]): void => {
  execFileSync('mount', args, { stdio: ['ignore', 'ignore', 'pipe'] });
};

/** A disk in memory with a size of its own, there until its scope ends. */
export class Disk implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'records-disk-'));

  /** `size` as mount takes it, like 4m. */
  constructor(size: string) {
    try {
      mount('-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', this.path);
    } catch (error) {
      rmdirSync(this.path);
      throw error;
    }
  }

  file(name: string): string {
    return join(this.path, name);
  }

  resize(size: string): void {
    mount('-o', `remount,size=${size}`, this.path);
  }

  /** No file on it may be open for writing. */
  setReadOnly(readOnly: boolean): void {
    mount('-o', `remount,${readOnly ? 'ro' : 'rw'}`, this.path);
  }

  [Symbol.dispose](): void {
    // Lazily, because a file on it may still be open.
    execFileSync('umount', ['--lazy', this.path]);
    rmdirSync(this.path);
  }
}

const diskMissing = reasonAgainst(() => new Disk('1m')[Symbol.dispose]());

/** A test that needs a `Disk`: skipped, and says why, where none can be made. */
export const testDisk = (name: string, run: () => Promise<void>): void => testUnless(diskMissing, name, run);

/** A test that is skipped, and says why, where there is a reason. */
export function testUnless(reason: string | undefined, name: string, run: () => Promise<void>): void {
  if (reason === undefined) {
    test(name, run);
  } else {
    console.warn(`Skipped: ${name}: ${reason}.`);
    test.skip(`${name} (${reason})`, run);
  }
}

/** The error that an attempt throws; undefined if it succeeds. */
export function reasonAgainst(attempt: () => void): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return (error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 200);
  }
}
