// The thread that removes old events once, and ends.
import { parentPort, workerData } from 'node:worker_threads';
import type { Features } from '../../kernel/feature.ts';
import { withEngine } from '../../migrations/engine.ts';
import { removeOld } from './retention.ts';
import { checkInterval } from '../../kernel/model/limits.ts';
import { pause } from '../../kernel/model/wait.ts';
import type { RetentionJob } from './retention-schedule.ts';

const { database, service, module, days, now, limit } = workerData as RetentionJob;
const { features } = (await import(module)) as { features: Features };
const warn = (message: string): void => parentPort?.postMessage(message, []);
const end = performance.now() + limit;

for (let isDone = false; !isDone;) {
  try {
    await withEngine(database, service, 'write', (connection) => removeOld(features.list, connection, days, now, warn));
    isDone = true;
  } catch (error) {
    // Others may get the lock of SQLite again and again. Slices that were removed stay removed.
    if (performance.now() > end) throw error;
    await pause(checkInterval);
  }
}
