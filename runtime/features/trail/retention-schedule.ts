import { Worker } from 'node:worker_threads';
import type { DatabaseAddress } from '../../migrations/engine.ts';
import { log } from '../../observability/log.ts';
import { sibling } from '../../threads/sibling.ts';
import { databaseSettings } from '../../commands/database-setting.ts';
import { checkInterval } from '../../kernel/model/limits.ts';
import { repeat } from '../../kernel/model/wait.ts';
import type { Running } from '../../kernel/running.ts';
import { minute } from '../../kernel/values/time.ts';

/** Milliseconds between two looks for old events. */
const interval = 10 * minute;

/** The data of the thread. */
export interface RetentionJob {
  readonly database: DatabaseAddress;
  readonly service: string;
  /** See `Features`. */
  readonly module: string;
  /** EVENTS_KEEP */
  readonly days: number;
  /** Milliseconds, by the clock of the server. */
  readonly now: number;
  /** Milliseconds for which it tries: until the next thread starts. */
  readonly limit: number;
}

/**
 * Has old events removed by the first process of a server, soon and then now and then, in a thread: on SQLite, a removal waits for
 * the disk and for other writes.
 *
 * @param days EVENTS_KEEP
 */
export function scheduleRetention(running: Running, days: number): AsyncDisposable | undefined {
  const { service, module, settings, number } = running;
  if (number > 0) return undefined;
  const { DATABASE_URL: database } = settings(databaseSettings);
  let lastWarning = '';
  const remove = (): number => {
    const now = Date.now();
    const workerData: RetentionJob = {
      database,
      service: service.name,
      module,
      days,
      now,
      limit: interval - checkInterval,
    };
    // Modules preloaded by options of the process are for its main thread.
    const thread = new Worker(sibling('retention-thread', import.meta), { workerData, execArgv: [] });
    thread.on('error', (error) => log.warn('Old events could not be removed.', { err: error }));
    thread.on('message', (warning: string) => {
      if (warning !== lastWarning) log.warn(warning);
      lastWarning = warning;
    });
    thread.unref();
    return interval;
  };
  // A server may be started again and again. Servers that start together look at different times.
  return repeat(minute * (0.5 + Math.random() / 2), remove);
}
