import cluster, { type Address, type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onStopSignal } from './stop-signal.ts';

/** One that served for less than this is followed by another only after as long, in milliseconds. */
const shortLife = 1_000;

/**
 * Serves from several processes that share one port, until this one is told to stop. One that ends by itself is replaced.
 * They end when this one does, however it ends.
 *
 * @returns where they listen, when all of them do. Where one cannot start, it says why, and this process exits with 1.
 */
export async function startWorkers(count: number): Promise<AddressInfo> {
  let isStarting = true;
  let isStopping = false;
  const servingSince = new WeakMap<Worker, number>();

  const ended = (worker: Worker, how: string | number): void => {
    if (isStopping) return;
    const since = servingSince.get(worker);
    if (isStarting && since === undefined) {
      // One that exits with 1 has said why.
      if (how !== 1) console.error(`A worker process could not be started: it ended with ${how}.`);
      process.exit(1);
    }
    console.error(`A worker process ended with ${how}; another takes its place.`);
    const isShortLived = since === undefined || Date.now() - since < shortLife;
    setTimeout(() => !isStopping && fork(), isShortLived ? shortLife : 0);
  };
  const fork = (): Worker => {
    const worker = cluster.fork();
    closeUndelivered(worker);
    worker.on('error', ({ message }) => {
      // One that was never there does not end. What cannot be sent to one that has just ended needs no word.
      if (worker.process.pid === undefined) ended(worker, message);
    });
    return worker;
  };
  cluster.on('listening', (worker) => servingSince.set(worker, Date.now()));
  cluster.on('exit', (worker, code, signal) => ended(worker, signal ?? code));

  // What keeps one from starting keeps all of them: it is said once.
  const { address, port, addressType } = await listening(fork());
  await Promise.all(Array.from({ length: count - 1 }, () => listening(fork())));
  isStarting = false;

  const alive = (): Worker[] =>
    Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker?.isDead() === false);
  const signalAll = (signal: NodeJS.Signals): void => alive().forEach((worker) => worker.process.kill(signal));
  onStopSignal(
    async () => {
      isStopping = true;
      const ends = alive().map(exitOf);
      signalAll('SIGTERM');
      // The signal itself ends one that does not serve yet.
      return (await Promise.all(ends)).every(([code, signal]) => code === 0 || signal === 'SIGTERM') ? 0 : 1;
    },
    () => {
      signalAll('SIGKILL');
      process.exit(1);
    },
  );
  return { address: String(address), family: addressType === 6 ? 'IPv6' : 'IPv4', port };
}

/** Its exit code or signal. Not by `once`: a connection that could not be given to it any more is no failure of its end. */
const exitOf = (worker: Worker): Promise<[number | null, NodeJS.Signals | null]> =>
  new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve([code, signal as NodeJS.Signals | null]));
  });

const listening = async (worker: Worker): Promise<Address> => ((await once(worker, 'listening')) as [Address])[0];

/**
 * Closes the connection that was on its way to a process when it was killed. Node keeps it open and forgets it, and its
 * client would wait for an answer for ever; one connection at a time is on its way to each.
 */
function closeUndelivered(worker: Worker): void {
  const { process } = worker;
  const send = process.send.bind(process) as (...args: unknown[]) => boolean;
  let last: { close?: () => void } | undefined;
  Object.assign(process, {
    send(message: unknown, handle?: { close?: () => void }, ...rest: unknown[]): boolean {
      if (handle) last = handle;
      return send(message, handle, ...rest);
    },
  });
  // One that has arrived is closed here already. A process that ends in order gives back what it does not take.
  process.once('exit', (code) => code !== 0 && last?.close?.());
}
