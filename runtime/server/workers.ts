import cluster, { type Address, type Worker } from 'node:cluster';
import { log } from '../observability/log.ts';
import { acceptTimeout, type UntilAllReady } from './connections.ts';
import { onStopSignal } from './stop-signal.ts';

/** The variable that tells a worker the port of all: PORT=0 means a new one once none of them is left that has it. */
const workersPort = 'WORKERS_PORT';

/** The variable that tells a worker the identity of the database that all of them have open. */
const workersDatabase = 'WORKERS_DATABASE';

/** The port that this process is to listen on, where it replaces a worker; otherwise `port`. */
export const portOfWorkers = (port: number): number => Number(process.env[workersPort] ?? port);

/** The identity of the database of all workers; undefined in any other process. */
export const databaseOfWorkers = (): string | undefined =>
  cluster.isWorker ? process.env[workersDatabase] : undefined;

/** A worker that served for less than this is replaced only after as long, in milliseconds. */
const shortLife = 1_000;

/** Workers that are replaced during a start; then it has failed. */
const maxReplacedInStart = 5;

/** The steps of a stop that the workers take together: each begins when all of them are ready for it. */
type StopStep = Parameters<UntilAllReady>[0];

/** A worker sends this message back: then it has received all connections that were sent to it before. */
const echo = 'echo';

/** Milliseconds for which the main process waits until no connection is on its way to a worker. */
const arrivalTimeout = 1_000;

/** Milliseconds for which a worker waits for the others, each of which waits for a moment without a new connection, and for the main process. */
const othersTimeout = acceptTimeout + 2 * arrivalTimeout;

/**
 * In a worker that stops: resolves when all workers that stop are ready for a step. They stop accepting connections when none is on
 * its way to one of them, as it would be reset. They close connections when none of them accepts any, as a client that is told to
 * close its connection opens another one at once.
 */
export const untilAllReady: UntilAllReady = (step) => {
  if (!process.send || !process.connected) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const onMessage = (message: unknown): void => {
    if (message === step) resolve();
    else if (message === echo && process.connected) process.send?.(echo);
  };
  process.on('message', onMessage);
  setTimeout(resolve, othersTimeout);
  process.send(step);
  return promise.finally(() => process.off('message', onMessage));
};

/**
 * Serves from several processes that share one port, until this one is told to stop. A worker that exits is replaced; all
 * exit with this process, however it ends.
 *
 * @param database the identity of the database, which has to be that of each worker; undefined where it has none
 * @returns where they listen, when all of them do. Where a worker cannot start, it prints why, and this process exits
 *   with 1.
 */
export function startWorkers(count: number, database: string | undefined): Promise<Address> {
  const started = Promise.withResolvers<Address>();
  const environment: Record<string, string> = database === undefined ? {} : { [workersDatabase]: database };
  const serving = new Set<Worker>();
  /** The workers that wait for the others, by the step that they are ready for. */
  const waiting: Record<StopStep, Set<Worker>> = { 'stop accepting': new Set(), 'close connections': new Set() };
  let isStarting = true;
  let isStopping = false;
  let replacedInStart = 0;

  const alive = (): Worker[] =>
    Object.values(cluster.workers ?? {}).filter((worker) => worker?.isDead() === false) as Worker[];
  /** A worker that is told to stop alone leaves the others behind. */
  const areAllReady = (step: StopStep): boolean => !isStopping || serving.isSubsetOf(waiting[step]);
  const release = (step: StopStep): void => {
    if (!areAllReady(step)) return;
    for (const worker of waiting[step]) if (worker.isConnected()) worker.send(step);
  };
  const onReady = async (worker: Worker, step: StopStep): Promise<void> => {
    waiting[step].add(worker);
    if (isStopping && step === 'stop accepting' && areAllReady(step)) await untilNoneArrives(waiting[step]);
    release(step);
  };

  const fork = (): void => {
    if (isStopping) return;
    const worker = cluster.fork(environment);
    let servingSince: number | undefined;
    const onExit = (reason: string | number): void => {
      serving.delete(worker);
      for (const workers of Object.values(waiting)) workers.delete(worker);
      if (isStopping) return (Object.keys(waiting) as StopStep[]).forEach(release);
      if (isStarting && servingSince === undefined) {
        // A worker that exits with 1 has printed why.
        if (reason === 1) process.exit(1);
        if (++replacedInStart > maxReplacedInStart) {
          console.error(`A worker process could not be started: it exited with ${reason}.`);
          process.exit(1);
        }
      }
      log.warn(`A worker process exited with ${reason} and is replaced.`);
      const isShortLived = servingSince === undefined || Date.now() - servingSince < shortLife;
      setTimeout(fork, isShortLived ? shortLife : 0);
    };
    watchDelivery(worker);
    worker.on('exit', (code, signal) => onExit(signal ?? code));
    // A process that could not be spawned does not exit. Messages that cannot be sent to one that has exited are lost.
    worker.on('error', ({ message }) => worker.process.pid === undefined && onExit(message));
    worker.on('message', (message) => {
      // The metrics are told as well.
      if (typeof message === 'string' && message in waiting) void onReady(worker, message as StopStep);
    });
    worker.on('listening', (address) => {
      const isFirst = environment[workersPort] === undefined;
      environment[workersPort] ??= String(address.port);
      if (environment[workersPort] !== String(address.port)) return;
      servingSince = Date.now();
      serving.add(worker);
      // A problem that keeps the first from starting keeps all of them: it is printed once.
      if (isFirst) for (let n = 1; n < count; n++) fork();
      if (!isStarting) log.warn('The replacement of a worker process is serving.');
      else if (serving.size === count) {
        isStarting = false;
        started.resolve(address);
      }
    });
  };

  const signalAll = (signal: NodeJS.Signals): Promise<(string | number)[]> =>
    Promise.all(alive().map((worker) => signalTo(worker, signal)));
  // Before the first of them serves.
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
  fork();
  return started.promise;
}

/** Resolves with its exit code or signal. Not by `once`: a connection that cannot be sent to it is no failure of this. */
const signalTo = (worker: Worker, signal: NodeJS.Signals): Promise<string | number> =>
  new Promise((resolve) => {
    worker.once('exit', (code, ending) => resolve(ending ?? code));
    worker.process.kill(signal);
  });

/** Connections that were sent to workers. */
let delivered = 0;

/**
 * Resolves when no connection is on its way to these workers. While one waits in this process, all of them have one to accept:
 * when they have sent back a message that came behind it, the next one is sent to them.
 */
async function untilNoneArrives(workers: ReadonlySet<Worker>): Promise<void> {
  const deadline = performance.now() + arrivalTimeout;
  for (let before = -1; before !== delivered && performance.now() < deadline;) {
    before = delivered;
    await Promise.all([...workers].map(sendEcho));
  }
}

const sendEcho = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    const onMessage = (message: unknown): void => {
      if (message !== echo) return;
      worker.off('message', onMessage);
      resolve();
    };
    worker.on('message', onMessage).once('exit', () => resolve());
    if (worker.isConnected()) worker.send(echo);
    else resolve();
  });

/**
 * Counts the connections that are sent to a worker. Closes the one that was being sent to it when it was killed: Node keeps it open
 * and forgets it, and its client would wait for ever; one connection at a time is being sent to each.
 */
function watchDelivery({ process }: Worker): void {
  const send = process.send.bind(process) as (...args: unknown[]) => boolean;
  let last: { close?: () => void } | undefined;
  process.send = ((message: unknown, handle?: typeof last, ...rest: unknown[]) => {
    if (handle) {
      delivered++;
      last = handle;
    }
    return send(message, handle, ...rest);
  }) as typeof process.send;
  // A delivered connection is closed here already. A process that exits in order returns what it does not accept.
  process.once('exit', (code) => code !== 0 && last?.close?.());
}
