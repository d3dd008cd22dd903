import { IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from '../kernel/model/errors.ts';
import { limitWait } from '../kernel/model/wait.ts';
import { log } from '../observability/log.ts';
import { TracedResponse } from '../observability/response.ts';
import { toProblem } from '../kernel/api/problem.ts';
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

/** An open connection. Node keeps its responses in the order of their requests. */
class Connection {
  readonly socket: Socket;
  /** The response to the last request that has arrived. */
  last: TracedResponse | undefined;
  /** How many requests, or bytes that are no request, wait for the response before them: no more is read meanwhile. */
  waiting = 0;
  /** The bytes that had been read when it became idle: more of them are the beginning of a request. */
  readWhenIdle = 0;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  /** The last response, until the system took it. */
  get current(): TracedResponse | undefined {
    return this.last?.closed ? undefined : this.last;
  }

  get isIdle(): boolean {
    return !this.current && !this.socket.writableEnded && this.socket.bytesRead === this.readWhenIdle;
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
    const open = this.#open;
    // One function for all responses.
    this.#onClose = function onClose() {
      record(this);
      const connection = open.get(this.req.socket);
      if (connection) connection.readWhenIdle = connection.socket.bytesRead;
    };
    server.timeout = limits.stall;
    // Keep responding after the client half-closes.
    (server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
    // A close of Node would cut connections on which a response is being sent, or a request is arriving.
    server.closeIdleConnections = () => undefined;
    server.on('connection', (socket) => this.#add(socket));
    for (const event of ['request', 'checkContinue', 'checkExpectation']) {
      server.on(event, (_: IncomingMessage, outgoing: TracedResponse) => this.#receive(outgoing));
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
    if (!connection || socket.writableEnded) return;
    const { current } = connection;
    if (current && (current.req.complete || !current.socket)) {
      connection.waiting++;
      socket.pause();
      current.once(current.req.complete ? 'close' : 'socket', () => this.fail(socket, error));
    } else if (socket.writable && !current?.headersSent && !(current && socket.readableEnded)) {
      this.#refuse(connection, error);
    } else {
      // A response that has begun would only be corrupted, and a client that ends within a request has left.
      socket.destroy();
    }
  }

  /**
   * Responds to the requests on the open connections, ends each connection with its next response or when it is idle, and
   * resolves when all are closed.
   */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEmpty = resolve;
    this.#server.keepAliveTimeout = this.#limits.idle;
    this.#server.keepAliveTimeoutBuffer = 0;
    for (const { isIdle, socket, current } of this.#open.values()) {
      if (isIdle) socket.setTimeout(this.#limits.idle);
      else if (current) current.shouldKeepAlive = false;
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
    const connection = new Connection(socket);
    this.#open.set(socket, connection);
    socket.once('close', () => {
      this.#open.delete(socket);
      if (this.#open.size === 0) this.#onEmpty?.();
    });
    // Node reads on after each request; what is read would be held until its turn.
    socket.on('resume', () => connection.waiting > 0 && socket.pause());
    // This is how Node closes a connection after a response that says so.
    socket.destroySoon = () => this.#end(connection);
  }

  #receive(outgoing: TracedResponse): void {
    const { socket } = outgoing.req;
    const connection = this.#open.get(socket);
    // After a response that closes the connection, no request is processed: RFC 9112, 9.6.
    if (!connection || socket.writableEnded) return;
    connection.last = outgoing.on('close', this.#onClose);
    if (this.#onEmpty) {
      outgoing.shouldKeepAlive = false;
      socket.setTimeout(this.#limits.stall);
    }
    if (outgoing.socket) return this.#listener(outgoing);
    connection.waiting++;
    socket.pause();
    // Other connections get their turn first.
    outgoing.once('socket', () => setImmediate(this.#next, connection, outgoing));
  }

  readonly #next = (connection: Connection, outgoing: TracedResponse): void => {
    const { socket } = connection;
    if (outgoing.writableEnded || socket.writableEnded || socket.destroyed) return;
    if (--connection.waiting === 0) socket.resume();
    this.#listener(outgoing);
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
    const { socket } = connection;
    if (socket.writableEnded) return;
    connection.waiting = 0;
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
    // A reset also frees the bytes that the system holds for a client that takes nothing.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    else if (connection.isIdle) this.#end(connection);
    // A complete request waits for the server.
    else if (!connection.current?.req.complete) {
      this.fail(socket, new ApiError('request_timeout', 'The request was not received in time.'));
    }
  }
}
