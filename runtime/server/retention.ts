import { Worker } from 'node:worker_threads';
import type { DatabaseAddress } from '../migrations/engine.ts';
import { log } from '../observability/log.ts';
import { sibling } from '../threads/sibling.ts';
import { retentionInterval } from './limits.ts';

/** The settings of the thread. */
export interface RetentionData {
  readonly database: DatabaseAddress;
  readonly service: string;
  /** EVENTS_KEEP */
  readonly days: number;
}

/** Has old events removed, now and then, in a thread: on SQLite, a removal waits for the disk and for other writes. */
export function scheduleRetention(workerData: RetentionData): void {
  const remove = (): void => {
    // Modules preloaded by options of the process are for its main thread.
    const thread = new Worker(sibling('retention-thread', import.meta), { workerData, execArgv: [] });
    thread.on('error', (error) => log.warn('Old events could not be removed.', { err: error }));
    thread.unref();
  };
  setInterval(remove, retentionInterval).unref();
}
