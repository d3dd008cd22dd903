import cluster, { type Worker } from 'node:cluster';
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { pause } from '../../kernel/model/wait.ts';
import { log } from '../../observability/log.ts';
import { onStopSignal, stopListening, stopSignals } from '../../commands/stop.ts';
import { checkInterval } from '../../kernel/model/limits.ts';
import { maxWaiting } from '../../kernel/records/limits.ts';
import type { Listening, Processes } from '../../kernel/running.ts';

/** The variables that tell a worker the identity of the database that all of them have open, and its own number. */
const workersDatabase = 'WORKERS_DATABASE';
const workersNumber = 'WORKERS_NUMBER';

/** The main process and its workers. The replacement of a worker has its number, too. @param count of the workers */
export const processesOf = (count: number): Processes => ({
  count,
  number: cluster.isWorker ? Number(process.env[workersNumber]) : 0,
  database: cluster.isWorker ? process.env[workersDatabase] : undefined,
  start: (...rest) => startWorkers(count, ...rest),
  serve: serveConnections,
});

/** A worker that serves, and the connections that were sent to it and that it has not taken yet. */
interface Serving {
  readonly worker: Worker;
  readonly sent: Socket[];
}

/**
 * Starts processes that share the connections of one server, until this process is told to stop. A worker that exits is
 * replaced; all exit with this process, however it ends.
 *
 * A stop loses no connection: this process stops listening first, and then tells the workers to close their connections,
 * behind the connections that it has sent them.
 *
 * @param database the identity of the database, which has to be that of each worker; undefined if it has none
 * @param drain milliseconds that a stop goes on accepting connections
 * @param listen begins to listen
 * @param close ends what this process does besides; called by a stop
 * @returns where it listens, when all workers serve. If the first one cannot start, this process exits with 1.
 */
async function startWorkers(
  count: number,
  database: string | undefined,
  drain: number,
  listen: (server: Server) => Promise<Listening>,
  close: () => Promise<void>,
): Promise<Listening> {
  const first = Promise.withResolvers<void>();
  const all = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  /** The one whose turn is next comes first. */
  const serving: Serving[] = [];
  /** Connections that came when no worker served. */
  const waiting: Socket[] = [];
  let isStarting = true;
  /** Whether any worker has: what keeps another one from starting then may pass. */
  let hasServed = false;
  let isStopping = false;
  let exitCode = 0;

  const send = (socket: Socket): void => {
    const [next] = serving.toSorted((one, other) => one.sent.length - other.sent.length);
    if (!next) return void waiting.push(socket);
    serving.push(...serving.splice(serving.indexOf(next), 1));
    next.sent.push(socket);
    // This process closes its copy when the worker has taken the connection, or has exited.
    next.worker.send('connection', socket, { keepOpen: true }, () => undefined);
  };
  const listener = createServer({ pauseOnConnect: true }, send);
  listener.maxConnections = maxWaiting;
  const listening = await listen(listener);

  const onExit = (reason: string | number, own: Serving | undefined, number: number): void => {
    if (own) serving.splice(serving.indexOf(own), 1);
    for (const socket of own?.sent ?? []) socket.destroy();
    if (isStopping) {
      if (own && reason !== 0) exitCode = 1;
      if (serving.length === 0) stopped.resolve();
      return;
    }
    if (!hasServed && !own) {
      // A worker that exits with 1 has printed why.
      if (reason !== 1) console.error(`A worker process could not be started: it exited with ${reason}.`);
      process.exit(1);
    }
    log.warn(`A worker process exited with ${reason} and is replaced.`);
    // One that cannot start must not keep a core busy.
    void pause(checkInterval).then(() => fork(number));
  };

  const onServing = (own: Serving): void => {
    serving.push(own);
    waiting.splice(0).forEach(send);
    if (!isStarting) log.warn('The replacement of a worker process is serving.');
    hasServed = true;
    first.resolve();
    if (serving.length === count) all.resolve();
  };

  const fork = (number: number): void => {
    if (isStopping) return;
    const worker = cluster.fork({
      [workersNumber]: number,
      ...(database !== undefined && { [workersDatabase]: database }),
    });
    let own: Serving | undefined;
    worker.on('exit', (code, signal) => onExit(signal ?? code, own, number));
    // A process that could not be spawned does not exit. Messages that cannot be sent to one that has exited are lost.
    worker.on('error', ({ message }) => worker.process.pid === undefined && onExit(message, own, number));
    worker.on('message', (message) => {
      if (message === 'serving' && !isStopping) onServing((own = { worker, sent: [] }));
      else if (message === 'taken') own?.sent.shift()?.destroy();
    });
  };

  const kill = (isMeant: (worker: Worker) => boolean): void => {
    for (const worker of Object.values(cluster.workers ?? {}))
      if (worker && isMeant(worker)) worker.process.kill('SIGKILL');
  };
  const tell = (message: 'stop' | 'close'): void => serving.forEach(({ worker }) => worker.send(message));
  // Before the first of them serves.
  onStopSignal(
    async () => {
      isStopping = true;
      kill((worker) => !serving.some((one) => one.worker === worker));
      if (serving.length === 0) return 0;
      tell('stop');
      await stopListening(listener, isStarting ? 0 : drain);
      tell('close');
      await stopped.promise;
      await close();
      return exitCode;
    },
    () => {
      kill(() => true);
      process.exit(1);
    },
  );
  fork(1);
  // A problem that keeps the first from starting keeps all of them: it is printed once.
  await first.promise;
  for (let number = 2; number <= count; number++) fork(number);
  await all.promise;
  isStarting = false;
  return listening;
}

/** Sends a message to the main process. If that has gone, an error says nothing new: this process ends, too. */
const tellMain = (message: unknown): void => void process.send?.(message, undefined, undefined, () => undefined);

/**
 * Serves the connections that the main process sends to this worker, until that tells it to stop.
 *
 * @param stop is given a function that resolves when no connection is on the way
 */
function serveConnections(server: HttpServer, stop: (untilNotAccepting: () => Promise<void>) => Promise<number>): void {
  const closed = Promise.withResolvers<void>();
  // A signal to a whole process group comes here, too.
  for (const signal of stopSignals) process.on(signal, () => undefined);
  process.on('message', (message, socket?: Socket) => {
    if (message === 'stop') void stop(() => closed.promise).then((code) => process.exit(code));
    else if (message === 'close') closed.resolve();
    else if (message === 'connection') {
      tellMain('taken');
      // Undefined if the client has left meanwhile.
      if (socket) server.emit('connection', socket.setNoDelay(true));
    }
  });
  // This is how Node begins to check the timeouts of requests.
  server.emit('listening');
  tellMain('serving');
}
