import { Worker } from 'node:worker_threads';
import type { DatabaseAddress } from '../migrations/engine.ts';
import { log } from '../observability/log.ts';
import { sibling } from '../threads/sibling.ts';
import { firstRetention, retentionInterval } from './limits.ts';

export interface RetentionSettings {
  readonly database: DatabaseAddress;
  readonly service: string;
  /** EVENTS_KEEP */
  readonly days: number;
}

/** The data of the thread. */
export interface RetentionJob extends RetentionSettings {
  /** Milliseconds, by the clock of the server. */
  readonly now: number;
}

/**
 * Has old events removed, soon and then now and then, in a thread: on SQLite, a removal waits for the disk and for other writes.
 *
 * @returns a function that ends it
 */
export function scheduleRetention(settings: RetentionSettings): () => void {
  let lastWarning = '';
  const remove = (): void => {
    // Modules preloaded by options of the process are for its main thread.
    const workerData: RetentionJob = { ...settings, now: Date.now() };
    const thread = new Worker(sibling('retention-thread', import.meta), { workerData, execArgv: [] });
    thread.on('error', (error) => log.warn('Old events could not be removed.', { err: error }));
    thread.on('message', (warning: string) => {
      if (warning !== lastWarning) log.warn(warning);
      lastWarning = warning;
    });
    thread.unref();
    timer = setTimeout(remove, retentionInterval).unref();
  };
  // Servers that start together look at different times.
  let timer = setTimeout(remove, firstRetention * (0.5 + Math.random() / 2)).unref();
  return () => clearTimeout(timer);
}
