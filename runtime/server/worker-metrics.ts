import cluster, { type Worker } from 'node:cluster';
import { aggregated, type Metric } from './metrics.ts';

/** Milliseconds that the primary process waits for a worker; then it takes what that has last said. */
const answerTimeout = 1_000;

const question = 'metrics';

interface Answer {
  readonly metrics: Metric[];
}

const isAnswer = (message: unknown): message is Answer =>
  typeof message === 'object' && message !== null && 'metrics' in message;

/** Answers the primary process. */
export function offerMetrics(read: () => Promise<Metric[]>): void {
  process.on('message', (message) => {
    if (message === question)
      void read().then((metrics) => process.connected && process.send?.({ metrics } satisfies Answer));
  });
}

/** Returns a function that reads the metrics of all workers. Counters of those that have exited are kept, so that none goes back. */
export function metricsOfWorkers(): () => Promise<readonly (readonly Metric[])[]> {
  const last = new Map<number, readonly Metric[]>();
  let exited: Promise<readonly Metric[]> = Promise.resolve([]);

  cluster.on('exit', ({ id }) => {
    const counters = (last.get(id) ?? []).filter(({ type }) => type !== 'gauge');
    last.delete(id);
    // One after the other: several may exit at once.
    exited = exited.then(
      async (before) => (await aggregated([before, counters]).getMetricsAsJSON()) as unknown as Metric[],
    );
  });

  const ask = (worker: Worker): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        worker.off('message', onMessage).off('exit', end);
        resolve();
      };
      const onMessage = (message: unknown): void => {
        if (!isAnswer(message)) return;
        last.set(worker.id, message.metrics);
        end();
      };
      const timer = setTimeout(end, answerTimeout);
      worker.on('message', onMessage).on('exit', end);
      worker.send(question, (error) => error && end());
    });

  return async () => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true) as Worker[];
    await Promise.all(workers.map(ask));
    return [...last.values(), await exited];
  };
}
