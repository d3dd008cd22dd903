import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';

/** Milliseconds of an fsync from which on reads would wait too long for it on the main thread. */
const slowSync = 5;

/** Fsyncs that are timed: the shortest one is what the disk can do. */
const timed = 3;

/** Whether an fsync beside a database takes long. A disk that cannot be written is not slow: the first write finds that. */
export function isSyncSlow(database: string, sync = fsyncSync): boolean {
  const file = `${database}-sync-${process.pid}`;
  try {
    const descriptor = openSync(file, 'w');
    try {
      return Math.min(...Array.from({ length: timed }, () => timeSync(descriptor, sync))) > slowSync;
    } finally {
      closeSync(descriptor);
      rmSync(file);
    }
  } catch {
    return false;
  }
}

function timeSync(descriptor: number, sync: typeof fsyncSync): number {
  // A block in the same place each time, as a commit writes to a file that has its length.
  writeSync(descriptor, new Uint8Array(4_096), 0, undefined, 0);
  const before = performance.now();
  sync(descriptor);
  return performance.now() - before;
}
