import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { slowSync } from './limits.ts';

/**
 * Whether an fsync beside a database takes long. A disk that cannot be written is not slow: the first write finds that.
 *
 * @param now the time in milliseconds
 */
export function isSyncSlow(database: string, sync = fsyncSync, now = (): number => performance.now()): boolean {
  const file = `${database}-sync-${process.pid}`;
  try {
    const descriptor = openSync(file, 'w');
    try {
      // The shortest one is what the disk can do.
      return Math.min(...Array.from({ length: 3 }, () => timeSync(descriptor, sync, now))) > slowSync;
    } finally {
      closeSync(descriptor);
      rmSync(file);
    }
  } catch {
    return false;
  }
}

function timeSync(descriptor: number, sync: typeof fsyncSync, now: () => number): number {
  // A block in the same place each time, as a commit writes to a file that has its length.
  writeSync(descriptor, new Uint8Array(4_096), 0, undefined, 0);
  const before = now();
  sync(descriptor);
  return now() - before;
}
