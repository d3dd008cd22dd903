import cluster, { type Address, type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { StartError } from '../errors.ts';
import { onStopSignal } from './stop-signal.ts';

/** A process that ended sooner than this after its start is followed by another only after as long, in milliseconds. */
const shortLife = 1_000;

/**
 * Serves from several processes that share one port, until this one is told to stop. One that ends by itself is replaced.
 *
 * @returns where they listen, when all of them do.
 * @throws StartError where they cannot; the first of them has said why.
 */
export async function startWorkers(count: number): Promise<AddressInfo> {
  let isStopping = false;
  const started = new WeakMap<Worker, number>();
  const fork = (): Worker => {
    const worker = cluster.fork();
    started.set(worker, Date.now());
    return worker;
  };
  // What keeps one from starting keeps all of them: it is said once.
  const { address, port, addressType } = await listening(fork());
  await Promise.all(Array.from({ length: count - 1 }, () => listening(fork())));

  cluster.on('exit', (worker, code, signal) => {
    if (isStopping) return;
    console.error(`A worker process ended with ${signal ?? code}; another takes its place.`);
    const lived = Date.now() - (started.get(worker) ?? 0);
    void wait(lived < shortLife ? shortLife : 0).then(() => !isStopping && fork());
  });
  const workers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const signalAll = (signal: NodeJS.Signals): void => workers().forEach((worker) => worker.process.kill(signal));
  onStopSignal(
    async () => {
      isStopping = true;
      const codes = workers().map(async (worker) => ((await once(worker, 'exit')) as [number | null])[0]);
      signalAll('SIGTERM');
      return (await Promise.all(codes)).every((code) => code === 0) ? 0 : 1;
    },
    () => signalAll('SIGKILL'),
  );
  return { address: String(address), family: addressType === 6 ? 'IPv6' : 'IPv4', port };
}

async function listening(worker: Worker): Promise<Address> {
  const abort = new AbortController();
  const { signal } = abort;
  try {
    return await Promise.race([
      once(worker, 'listening', { signal }).then(([address]) => address as Address),
      once(worker, 'exit', { signal }).then(() => {
        // It has said why itself.
        throw new StartError('No worker process could be started.');
      }),
    ]);
  } finally {
    abort.abort();
  }
}
