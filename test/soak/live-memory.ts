/** Loaded into the server of a soak: sends how much memory its main thread uses after a garbage collection, in bytes. */
import { isMainThread } from 'node:worker_threads';

const interval = 1_000; // milliseconds

if (isMainThread) {
  setInterval(() => {
    void globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    process.send?.(heapUsed + external);
  }, interval).unref();
}
