// The thread that removes old events once, and ends.
import { parentPort, workerData } from 'node:worker_threads';
import { withEngine } from '../migrations/engine.ts';
import { removeOld } from '../migrations/retention.ts';
import { checkInterval } from '../model/limits.ts';
import { pause } from '../model/wait.ts';
import { retentionInterval } from './limits.ts';
import type { RetentionJob } from './retention.ts';

const { database, service, days, now } = workerData as RetentionJob;
const warn = (message: string): void => parentPort?.postMessage(message, []);
/** When the next thread starts. */
const end = performance.now() + retentionInterval - checkInterval;

for (let isDone = false; !isDone;) {
  try {
    await withEngine(database, service, 'write', (connection) => removeOld(connection, days, now, warn));
    isDone = true;
  } catch (error) {
    // Others may get the lock of SQLite again and again. Slices that were removed stay removed.
    if (performance.now() > end) throw error;
    await pause(checkInterval);
  }
}
