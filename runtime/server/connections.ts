import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { ApiError, unavailable } from '../model/errors.ts';
import type { Recorder } from '../observability/recorder.ts';
import { newRequestId, type TracedResponse } from '../observability/response.ts';
import { toProblem } from '../api/problem.ts';

/** In one of several processes at a port: resolves when all that stop are ready for a step of the stop. */
export type UntilAllReady = (step: 'stop accepting' | 'close connections') => Promise<void>;

type Listener = (incoming: IncomingMessage, outgoing: TracedResponse) => void;

/** Limits of the connections of a server. */
export interface ConnectionLimits {
  /** Connections at once; one more is answered 503. */
  readonly count: number;
  /** Milliseconds for which a client may send nothing of its request, or take nothing of its answer. */
  readonly stall: number;
  /**
   * Milliseconds for which a connection was idle when a stop ends it. A busy client sends its next request before that, and is
   * told to close in the answer: it does not send into a connection that is being ended. (nginx: `keepalive_min_timeout`.)
   */
  readonly idle: number;
}

/** Connections over the limit that are answered at once; those beyond them are closed without an answer. */
const refusedAtOnce = 256;

/** Milliseconds that a client has to close a connection whose last answer it was sent. */
const lingerTime = 2_000;

/** Milliseconds that a stop waits, at most, for a moment without a new connection: each turn of the event loop accepts one connection. */
export const acceptTimeout = 3_000;

/** Milliseconds between two looks of a stop at the idle connections, and of a running server at those that stall. */
const stopInterval = 20;
const sweepInterval = 1_000;

/** Bytes that the system has not taken yet. Node has no public name for it. */
const queuedBytes = (socket: Socket): number =>
  // oxlint-disable-next-line no-underscore-dangle
  (socket as { _handle?: { writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0;

/** The state of one connection. */
class Connection {
  readonly socket: Socket;
  /** The response that is being made or sent. */
  current: TracedResponse | undefined;
  /** The responses to the requests behind it. */
  readonly waiting: TracedResponse[] = [];
  /** The error of the bytes behind these. */
  failure: ApiError | undefined;
  /** Whether its last byte is sent, and what comes is discarded. */
  isEnded = false;
  /** When it became idle, or was ended. */
  since = performance.now();
  /** The bytes that had been read when it became idle: more of them are the beginning of a request. */
  readWhenIdle = 0;
  /** The bytes read and taken when the sweep last saw them change, and when that was. */
  progress = 0;
  progressAt = 0;
  /** Kept, so that no request needs a closure. */
  readonly onFinish: () => void;

  constructor(socket: Socket, onFinish: (connection: Connection) => void) {
    this.socket = socket;
    this.onFinish = () => onFinish(this);
  }

  /** Whether there is something to answer behind the current response. */
  get hasWaiting(): boolean {
    return this.waiting.length > 0 || this.failure !== undefined;
  }

  get isIdle(): boolean {
    const { isEnded, current, hasWaiting, socket } = this;
    return !isEnded && current === undefined && !hasWaiting && socket.bytesRead === this.readWhenIdle;
  }
}

/**
 * The connections of a server. The next request on a connection is begun when the system took the response before it,
 * so that their effects have their order and one answer is held at a time. A connection is ended in a way that loses no
 * answer, and by a stop only where it is idle.
 */
export class Connections {
  readonly #server: Server;
  readonly #limits: ConnectionLimits;
  readonly #listener: Listener;
  readonly #recorder: Recorder;
  readonly #open = new Map<Duplex, Connection>();
  #accepted = 0;
  /** How many of those that are open were over the limit. */
  #refused = 0;
  #isClosing = false;

  /**
   * @param listener answers each request
   * @param recorder is told what is answered without a response
   */
  constructor(server: Server, limits: ConnectionLimits, listener: Listener, recorder: Recorder) {
    this.#server = server;
    this.#limits = limits;
    this.#listener = listener;
    this.#recorder = recorder;
    server.maxConnections = limits.count + refusedAtOnce;
    // A worker would hand them to the next one, and where all are full they would go round.
    (server as { dropMaxConnection?: boolean }).dropMaxConnection = true;
    // Keep responding after the client half-closes.
    (server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
    // Node takes for idle what has an answer to send, or a request to read: its close would cut them.
    server.closeIdleConnections = () => undefined;
    server.on('connection', (socket) => this.#add(socket));
    for (const event of ['request', 'checkContinue', 'checkExpectation']) {
      server.on(event, (incoming: IncomingMessage, outgoing: TracedResponse) => this.#receive(incoming, outgoing));
    }
    let sweep: NodeJS.Timeout;
    server.on('listening', () => {
      sweep = setInterval(() => this.#sweep(), Math.min(sweepInterval, limits.stall / 4)).unref();
    });
    server.on('close', () => clearInterval(sweep));
  }

  /** Answers what is wrong with what a client sends, after the requests before it, and ends the connection. */
  fail(socket: Duplex, error: ApiError): void {
    const connection = this.#open.get(socket);
    if (!connection || connection.isEnded || connection.failure) return;
    const { current } = connection;
    if (connection.waiting.length > 0 || current?.req.complete) {
      connection.failure = error;
      socket.pause();
    } else if (socket.writable && !current?.headersSent) {
      this.#end(connection, error);
    } else {
      // An answer that has begun would only be corrupted.
      socket.destroy();
    }
  }

  /**
   * Accepts no more connections, answers what was sent on those that are open, and ends each when it is idle.
   *
   * @param grace milliseconds after which those that are left are cut
   * @param untilAllReady resolves when all processes at this port are ready for a step
   */
  async close(grace: number, untilAllReady?: UntilAllReady): Promise<void> {
    await this.#untilNobodyConnects();
    await untilAllReady?.('stop accepting');
    const closed = promisify(this.#server.close).call(this.#server);
    await untilAllReady?.('close connections');
    this.#isClosing = true;
    for (const { current, hasWaiting } of this.#open.values()) {
      if (current && !hasWaiting) current.shouldKeepAlive = false;
    }
    // Bytes that have come are read first: a timer of a process that had to wait is called before that.
    setImmediate(this.#endIdle);
    const idle = setInterval(() => setImmediate(this.#endIdle), stopInterval);
    const cut = setTimeout(() => this.#server.closeAllConnections(), grace);
    try {
      await closed;
    } finally {
      clearInterval(idle);
      clearTimeout(cut);
    }
  }

  /** A connection that the system has accepted is reset, with its request, when the server stops listening. */
  async #untilNobodyConnects(): Promise<void> {
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    await turn();
    const deadline = performance.now() + acceptTimeout;
    for (let before = -1; before !== this.#accepted && performance.now() < deadline; await turn()) {
      before = this.#accepted;
    }
  }

  #add(socket: Socket): void {
    this.#accepted++;
    const connection = new Connection(socket, this.#onFinish);
    const isRefused = this.#open.size - this.#refused >= this.#limits.count;
    if (isRefused) this.#refused++;
    this.#open.set(socket, connection);
    socket.once('close', () => {
      this.#open.delete(socket);
      if (isRefused) this.#refused--;
    });
    // Node reads on after each request; what is read would be held until its turn.
    socket.on('resume', () => connection.hasWaiting && socket.pause());
    // This is how Node closes a connection after an answer that says so.
    socket.destroySoon = () => this.#end(connection);
    if (isRefused) this.#end(connection, unavailable('The server has as many connections as it may have.'));
  }

  #receive(incoming: IncomingMessage, outgoing: TracedResponse): void {
    const connection = this.#open.get(incoming.socket);
    // After an answer that closes the connection, no request is processed: RFC 9112, 9.6.
    if (!connection || connection.isEnded) return;
    const { current, waiting, socket } = connection;
    // A server that stops has to know whether another request is behind this one: all of a packet are read first.
    if (current === undefined && !this.#isClosing) return this.#begin(connection, outgoing);
    waiting.push(outgoing);
    if (waiting.length > 1) return;
    socket.pause();
    if (current === undefined) setImmediate(this.#next, connection);
  }

  #begin(connection: Connection, outgoing: TracedResponse): void {
    connection.current = outgoing.on('finish', connection.onFinish);
    connection.progressAt = 0;
    this.#listener(outgoing.req, outgoing);
  }

  readonly #onFinish = (connection: Connection): void => {
    connection.current = undefined;
    if (connection.isEnded) return;
    if (connection.hasWaiting) {
      // Other connections get their turn first.
      setImmediate(this.#next, connection);
    } else {
      connection.since = performance.now();
      connection.readWhenIdle = connection.socket.bytesRead;
    }
  };

  readonly #next = (connection: Connection): void => {
    if (connection.isEnded || connection.socket.destroyed) return;
    const outgoing = connection.waiting.shift();
    if (!outgoing) return this.#end(connection, connection.failure);
    if (!connection.hasWaiting) {
      if (this.#isClosing) outgoing.shouldKeepAlive = false;
      connection.socket.resume();
    }
    this.#begin(connection, outgoing);
  };

  /**
   * Ends a connection after what is written to it. The client closes it then; until it has, what it sends is read: a system
   * that closes a connection with unread bytes resets it, and the client may lose the answer (RFC 9112, 9.6).
   *
   * @param error is answered first, where Node has made no response
   */
  #end(connection: Connection, error?: ApiError): void {
    if (connection.isEnded) return;
    connection.isEnded = true;
    connection.since = performance.now();
    connection.waiting.length = 0;
    const { socket, current } = connection;
    if (error) socket.write(this.#answerText(error, current));
    socket.end();
    // Instead of the parser.
    socket.removeAllListeners('data').on('data', () => undefined);
    socket.resume();
  }

  readonly #endIdle = (): void => {
    const now = performance.now();
    for (const connection of this.#open.values()) {
      if (connection.isIdle && now - connection.since >= this.#limits.idle) this.#end(connection);
    }
  };

  /** Ends connections whose client does not close them, or makes no progress. */
  #sweep(): void {
    const now = performance.now();
    for (const connection of this.#open.values()) {
      const { socket, current } = connection;
      if (connection.isEnded && socket.writableLength === 0) {
        if (now - connection.since > lingerTime) socket.destroy();
        continue;
      }
      const isTaking = socket.writableLength > 0;
      // A request that is waiting for the server makes no progress, either.
      if (!isTaking && (current === undefined || current.req.complete)) {
        connection.progressAt = 0;
        continue;
      }
      const progress = socket.bytesRead + socket.bytesWritten - queuedBytes(socket);
      if (progress !== connection.progress || connection.progressAt === 0) {
        connection.progress = progress;
        connection.progressAt = now;
      } else if (now - connection.progressAt > this.#limits.stall) {
        // A reset also frees the bytes that the system holds for a client that takes nothing.
        if (isTaking) socket.resetAndDestroy();
        else this.fail(socket, new ApiError('request_timeout', 'The request was not received in time.'));
      }
    }
  }

  /** An answer as it is sent on a bare socket. `response` is what Node has made for it, if it has. */
  #answerText(error: ApiError, response: TracedResponse | undefined): string {
    const requestId = response?.requestId ?? newRequestId();
    const { status, headers, body } = toProblem(error, requestId);
    const { code } = error;
    const bytes = Buffer.byteLength(body);
    // It is recorded when it is closed.
    if (response) Object.assign(response, { statusCode: status, code, bytes });
    else this.#recorder.refused({ requestId, status, code, bytes });
    const all = {
      ...headers,
      'Content-Length': bytes,
      'X-Request-Id': requestId,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      Connection: 'close',
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const { cors = [] } = response ?? {};
    for (let n = 0; n < cors.length; n += 2) lines.push(`${cors[n]}: ${cors[n + 1]}\r\n`);
    return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
  }
}
