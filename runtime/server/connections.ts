import { IncomingMessage, type Server } from 'node:http';
import type { Server as Listener, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { ApiError } from '../model/errors.ts';
import { limitWait, pause } from '../model/wait.ts';
import { log } from '../observability/log.ts';
import { TracedResponse } from '../observability/response.ts';
import { toProblem } from '../api/problem.ts';
import { briefWait, stopTimeout } from './limits.ts';

/** Limits of the connections of a server. */
export interface ConnectionLimits {
  /** Connections at once; more are closed. */
  readonly count: number;
  /** Milliseconds for which a client may send nothing of its request, or take nothing of its response. */
  readonly stall: number;
  /**
   * Milliseconds without a request after which a stop ends a connection. A busy client sends its next request before that, and
   * is told to close in the response: it does not send into a connection that is being ended.
   */
  readonly idle: number;
}

/**
 * Goes on accepting connections for `drain` milliseconds, and stops listening at a moment without a new one: the system resets
 * connections that it has accepted and the server has not. Each turn of the event loop accepts one.
 */
export async function stopListening(server: Listener, drain: number): Promise<void> {
  await pause(drain);
  let accepted = 0;
  server.on('connection', () => accepted++);
  const deadline = performance.now() + briefWait;
  await turn();
  for (let before = -1; before !== accepted && performance.now() < deadline; await turn()) before = accepted;
  server.close();
}

/** The state of one connection. */
class Connection {
  readonly socket: Socket;
  /** The response that is being made or sent. */
  current: TracedResponse | undefined;
  /** The responses to the requests behind it, and at the end the error of bytes that are no request. */
  readonly waiting: (TracedResponse | ApiError)[] = [];
  /** Whether its last byte is written, and bytes that arrive are discarded. */
  isEnded = false;
  /** The bytes that had been read when it became idle: more of them are the beginning of a request. */
  readWhenIdle = 0;
  /** Kept, so that no request needs a closure. */
  readonly onFinish: () => void;

  constructor(socket: Socket, onFinish: (connection: Connection) => void) {
    this.socket = socket;
    this.onFinish = () => onFinish(this);
  }

  get isIdle(): boolean {
    const { isEnded, current, waiting, socket } = this;
    return !isEnded && current === undefined && waiting.length === 0 && socket.bytesRead === this.readWhenIdle;
  }
}

/**
 * The connections of a server. The next request on a connection is begun when the system took the response before it, so that
 * writes keep their order and one response is held at a time. A connection is ended in a way that loses no response.
 */
export class Connections {
  readonly #server: Server;
  readonly #limits: ConnectionLimits;
  readonly #listener: (outgoing: TracedResponse) => void;
  readonly #onClose: (this: TracedResponse) => void;
  readonly #open = new Map<Duplex, Connection>();
  /** Set by a stop; called when the last connection is closed. */
  #onEmpty: (() => void) | undefined;

  /** @param listener responds to each request @param record gets each response that is over */
  constructor(
    server: Server,
    limits: ConnectionLimits,
    listener: (outgoing: TracedResponse) => void,
    record: (response: TracedResponse) => void,
  ) {
    this.#server = server;
    this.#limits = limits;
    this.#listener = listener;
    // One function for all responses.
    this.#onClose = function onClose() {
      record(this);
    };
    server.timeout = limits.stall;
    // Keep responding after the client half-closes.
    (server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
    // A close of Node would cut connections on which a response is being sent, or a request is arriving.
    server.closeIdleConnections = () => undefined;
    server.on('connection', (socket) => this.#add(socket));
    for (const event of ['request', 'checkContinue', 'checkExpectation']) {
      server.on(event, (_: IncomingMessage, outgoing: TracedResponse) => {
        this.#receive(outgoing.on('close', this.#onClose));
      });
    }
    server.on('timeout', (socket) => {
      const { bytesRead } = socket;
      // Bytes that arrived while the process was busy are read first.
      setImmediate(() => socket.bytesRead === bytesRead && this.#onTimeout(socket));
    });
  }

  get count(): number {
    return this.#open.size;
  }

  /** Responds to bytes that are no request, after the requests before them, and ends the connection. */
  fail(socket: Duplex, error: ApiError): void {
    const connection = this.#open.get(socket);
    if (!connection || connection.isEnded) return;
    const { current, waiting } = connection;
    if (waiting.at(-1) instanceof ApiError) return;
    if (waiting.length > 0 || current?.req.complete) {
      waiting.push(error);
      socket.pause();
    } else if (socket.writable && !(current && (current.headersSent || socket.readableEnded))) {
      this.#refuse(connection, error);
    } else {
      // A response that has begun would only be corrupted, and a client that ends within a request has left.
      socket.destroy();
    }
  }

  /** Responds to the requests on the open connections, ends each connection when it is idle, and resolves when all are closed. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEmpty = resolve;
    for (const { isIdle, socket, current, waiting } of this.#open.values()) {
      if (isIdle) socket.setTimeout(this.#limits.idle);
      else if (current && waiting.length === 0) current.shouldKeepAlive = false;
    }
    if (this.#open.size === 0) resolve();
    await limitWait(stopTimeout, promise, () => this.#server.closeAllConnections());
  }

  #add(socket: Socket): void {
    if (this.#open.size >= this.#limits.count) {
      log.repeated('warn', 'A connection was closed: MAX_CONNECTIONS are open.', {});
      return void socket.destroy();
    }
    // As the sockets that Node accepts are; one that the main process has handed over is not.
    socket.allowHalfOpen = true;
    const connection = new Connection(socket, this.#onFinish);
    this.#open.set(socket, connection);
    socket.once('close', () => {
      this.#open.delete(socket);
      if (this.#open.size === 0) this.#onEmpty?.();
    });
    // Node reads on after each request; what is read would be held until its turn.
    socket.on('resume', () => connection.waiting.length > 0 && socket.pause());
    // This is how Node closes a connection after a response that says so.
    socket.destroySoon = () => this.#end(connection);
  }

  #receive(outgoing: TracedResponse): void {
    const connection = this.#open.get(outgoing.req.socket);
    // After a response that closes the connection, no request is processed: RFC 9112, 9.6.
    if (!connection || connection.isEnded) return;
    const { current, waiting, socket } = connection;
    const isFirst = current === undefined && waiting.length === 0;
    if (isFirst && !this.#onEmpty) return this.#begin(connection, outgoing);
    waiting.push(outgoing);
    if (waiting.length > 1) return;
    socket.pause();
    // A server that stops has to know whether another request is behind this one: all of a packet are read first.
    if (isFirst) setImmediate(this.#next, connection);
  }

  #begin(connection: Connection, outgoing: TracedResponse): void {
    connection.current = outgoing.on('finish', connection.onFinish);
    this.#listener(outgoing);
  }

  readonly #onFinish = (connection: Connection): void => {
    connection.current = undefined;
    if (connection.isEnded) return;
    // Other connections get their turn first.
    if (connection.waiting.length > 0) setImmediate(this.#next, connection);
    else connection.readWhenIdle = connection.socket.bytesRead;
    if (this.#onEmpty) connection.socket.setTimeout(this.#limits.idle);
  };

  readonly #next = (connection: Connection): void => {
    const { isEnded, socket, waiting } = connection;
    if (isEnded || socket.destroyed) return;
    const outgoing = waiting.shift() as TracedResponse | ApiError;
    if (outgoing instanceof ApiError) return this.#refuse(connection, outgoing);
    if (this.#onEmpty) socket.setTimeout(this.#limits.stall);
    if (waiting.length === 0) {
      if (this.#onEmpty) outgoing.shouldKeepAlive = false;
      socket.resume();
    }
    this.#begin(connection, outgoing);
  };

  /** Responds with an error on a connection on which Node could not read a request, and ends it. */
  #refuse(connection: Connection, error: ApiError): void {
    const response = connection.current ?? this.#responseOn(connection.socket);
    const { status, headers, body } = toProblem(error, response.requestId);
    response.code = error.code;
    response.shouldKeepAlive = false;
    response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
    this.#end(connection);
  }

  /** A response without a request. */
  #responseOn(socket: Socket): TracedResponse {
    const response = new TracedResponse(Object.assign(new IncomingMessage(socket), { method: '-' }));
    response.on('close', this.#onClose).assignSocket(socket);
    return response.once('finish', () => {
      response.detachSocket(socket);
      response.emit('close');
    });
  }

  /**
   * Ends a connection after the bytes that are written to it. The client closes it then; until it has, bytes that it sends are
   * read: a system that closes a connection with unread bytes resets it, and the client may lose the response (RFC 9112, 9.6).
   */
  #end(connection: Connection): void {
    if (connection.isEnded) return;
    connection.isEnded = true;
    connection.waiting.length = 0;
    const { socket } = connection;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.end(() => {
      if (!socket.destroyed) void limitWait(briefWait, closed, () => socket.destroy());
    });
    // Instead of the parser.
    socket.removeAllListeners('data').on('data', () => undefined);
    socket.resume();
  }

  /** The client has neither sent nor taken anything for the time of its socket. */
  #onTimeout(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (!connection) return;
    const { current, waiting } = connection;
    // A reset also frees the bytes that the system holds for a client that takes nothing.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    else if (connection.isIdle) this.#end(connection);
    // A complete request waits for the server.
    else if (waiting.length === 0 && !current?.req.complete) {
      this.fail(socket, new ApiError('request_timeout', 'The request was not received in time.'));
    }
  }
}
