import { log } from '../../observability/log.ts';
import { checkInterval } from '../../kernel/model/limits.ts';
import { inTime, repeat } from '../../kernel/model/wait.ts';
import { databaseSettings } from '../../commands/database-setting.ts';
import type { Running } from '../../kernel/running.ts';
import { counter, gauge, type Metric } from '../../observability/metric.ts';
import { type DatabaseAddress, withEngine } from '../../migrations/engine.ts';
import { type CourierData, couriersOf } from './courier.ts';
import { hasReceivers, rareInterval } from './receivers.ts';
import { MessageThread } from '../../threads/message-thread.ts';
import { sibling } from '../../threads/sibling.ts';
import type { Counts, Report } from './sender.ts';

/** The settings of the thread. */
export interface ThreadData {
  readonly database: DatabaseAddress;
  readonly service: string;
  readonly couriers: readonly CourierData[];
}

/** Has couriers take events to their receivers, in the first process of a server: in a thread, which starts when there is a receiver. */
export function startDelivery(running: Running): AsyncDisposable | undefined {
  const { service, settings, metrics, number } = running;
  if (number > 0) return undefined;
  const { DATABASE_URL: database } = settings(databaseSettings);
  const data: ThreadData = { database, service: service.name, couriers: couriersOf(running) };
  const thread = new MessageThread<'report', Report>({
    url: sibling('thread', import.meta),
    workerData: data,
    cannotStart: (cause) => new Error('The thread of the deliveries cannot be started.', { cause }),
    lost: (_, cause) => new Error('The thread of the deliveries has failed.', { cause }),
  });
  let counts: Counts = { delivered: 0, failed: 0, waiting: 0, lag: 0 };
  let isRunning = false;
  let isClosed = false;
  const ask = async (): Promise<void> => {
    const report = await thread.ask('report');
    ({ counts } = report);
    for (const { level, message, fields } of report.lines) log[level](message, fields);
  };
  const looks = repeat(0, async () => {
    // The store tells of a database that cannot be read.
    isRunning ||= await withEngine(database, service.name, 'read', hasReceivers).catch(() => false);
    if (isRunning && !isClosed) await ask().catch((error) => log.warn('Deliveries are held up.', { err: error }));
    return isRunning ? checkInterval : rareInterval;
  });
  metrics.push(() => metricsOf(counts));
  const close = async (): Promise<void> => {
    isClosed = true;
    await looks[Symbol.asyncDispose]();
    // Another process goes on, or the next start.
    await inTime(thread.close(), 2 * checkInterval);
  };
  return { [Symbol.asyncDispose]: close };
}

const metricsOf = ({ delivered, failed, waiting, lag }: Counts): Metric[] => [
  counter('webhook_deliveries_total', 'Events that webhooks and hooks have taken.', delivered),
  counter('webhook_failures_total', 'Attempts to send an event that have failed.', failed),
  gauge('webhook_waiting', 'Events that wait to be sent, 10,000 at most.', waiting),
  gauge('webhook_lag_seconds', 'How long the oldest of them has waited.', lag),
];
