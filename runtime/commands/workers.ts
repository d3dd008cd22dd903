import cluster, { type Address, type Worker } from 'node:cluster';
import { once } from 'node:events';
import { log } from '../observe/log.ts';
import { onStopSignal } from './stop-signal.ts';

/** The variable that tells a worker the port of all: PORT=0 means a new one once none of them is left that has it. */
const workersPort = 'WORKERS_PORT';

/** The port that this process is to listen on, where it replaces a worker; otherwise `port`. */
export const portOfWorkers = (port: number): number => Number(process.env[workersPort] ?? port);

/** A worker that served for less than this is replaced only after as long, in milliseconds. */
const shortLife = 1_000;

/**
 * Serves from several processes that share one port, until this one is told to stop. A worker that exits is replaced; all
 * exit with this process, however it ends.
 *
 * @returns where they listen, when all of them do. Where a worker cannot start, it prints why, and this process exits
 *   with 1.
 */
export async function startWorkers(count: number): Promise<Address> {
  let isStarting = true;
  let isStopping = false;

  const fork = (): Worker => {
    const worker = cluster.fork();
    let servingSince: number | undefined;
    const onExit = (reason: string | number): void => {
      if (isStopping) return;
      if (isStarting && servingSince === undefined) {
        // A worker that exits with 1 has printed why.
        if (reason !== 1) console.error(`A worker process could not be started: it exited with ${reason}.`);
        process.exit(1);
      }
      log.warn(`A worker process exited with ${reason} and is replaced.`);
      const isShortLived = servingSince === undefined || Date.now() - servingSince < shortLife;
      setTimeout(() => !isStopping && fork(), isShortLived ? shortLife : 0);
    };
    closeUndelivered(worker);
    worker.on('exit', (code, signal) => onExit(signal ?? code));
    // A process that could not be spawned does not exit. Messages that cannot be sent to one that has exited are lost.
    worker.on('error', ({ message }) => worker.process.pid === undefined && onExit(message));
    worker.on('listening', ({ port }) => {
      if (!isStarting && port !== portOfWorkers(port)) return;
      servingSince = Date.now();
      if (!isStarting) log.warn('The replacement of a worker process is serving.');
    });
    return worker;
  };

  // What keeps the first from starting keeps all of them: it is printed once.
  const address = await listening(fork());
  // Workers inherit it.
  process.env[workersPort] = String(address.port);
  await Promise.all(Array.from({ length: count - 1 }, () => listening(fork())));
  isStarting = false;

  const signalAll = (signal: NodeJS.Signals): Promise<(string | number)[]> => {
    const alive = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isDead() === false) as Worker[];
    return Promise.all(alive.map((worker) => signalTo(worker, signal)));
  };
  onStopSignal(
    async () => {
      isStopping = true;
      // The signal itself ends a worker that does not serve yet.
      return (await signalAll('SIGTERM')).every((reason) => reason === 0 || reason === 'SIGTERM') ? 0 : 1;
    },
    () => {
      void signalAll('SIGKILL');
      process.exit(1);
    },
  );
  return address;
}

/** Resolves with its exit code or signal. Not by `once`: a connection that cannot be sent to it is no failure of this. */
const signalTo = (worker: Worker, signal: NodeJS.Signals): Promise<string | number> =>
  new Promise((resolve) => {
    worker.once('exit', (code, ending) => resolve(ending ?? code));
    worker.process.kill(signal);
  });

const listening = async (worker: Worker): Promise<Address> => ((await once(worker, 'listening')) as [Address])[0];

/**
 * Closes the connection that was being sent to a process when it was killed. Node keeps it open and forgets it, and its
 * client would wait for ever; one connection at a time is being sent to each.
 */
function closeUndelivered({ process }: Worker): void {
  const send = process.send.bind(process) as (...args: unknown[]) => boolean;
  let last: { close?: () => void } | undefined;
  process.send = ((message: unknown, handle?: typeof last, ...rest: unknown[]) => {
    last = handle ?? last;
    return send(message, handle, ...rest);
  }) as typeof process.send;
  // A delivered connection is closed here already. A process that exits in order returns what it does not accept.
  process.once('exit', (code) => code !== 0 && last?.close?.());
}
