import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { ApiError } from '../errors.ts';
import { maxHeaderBytes, maxTargetBytes } from '../limits.ts';
import type { Service } from '../service.ts';
import type { Store } from '../store/store.ts';
import { createApp, pathOf } from './app.ts';
import { awaitingContinue } from './body.ts';
import type { Keys } from './keys.ts';
import { problemHeaders, problemResponse, toProblem } from './problem.ts';

const uriTooLong = (): ApiError =>
  new ApiError('uri_too_long', `The path and query are longer than the ${maxTargetBytes} bytes that are accepted.`);

const firstLine = (packet: Buffer): number => {
  const end = packet.indexOf('\n');
  return end === -1 ? packet.length : end;
};

/** How many Host headers a request has: it must be one (RFC 9112, 3.2). */
function hostCount({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') count++;
  }
  return count;
}

/** What a request that Node's parser refuses is told; `error` is what the parser says of it. */
function refusal(error: NodeJS.ErrnoException & { rawPacket?: Buffer }): ApiError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      // The target is the culprit where the request line alone is too long.
      if (error.rawPacket && firstLine(error.rawPacket) > maxTargetBytes) return uriTooLong();
      return new ApiError('headers_too_large', `The headers are larger than the ${maxHeaderBytes} bytes accepted.`);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('request_timeout', 'The request did not arrive in time.');
    default:
      return new ApiError('bad_request', 'This is not a well-formed HTTP/1.1 request.');
  }
}

/** The answer that a connection is busy with. Node tells it under no public name. */
const answerOf = (socket: Duplex): ServerResponse | undefined =>
  // oxlint-disable-next-line no-underscore-dangle
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;

/** Answers on a bare socket, where Node has made no response, and closes it. */
function answerSocket(socket: Duplex, error: ApiError): void {
  const problem = toProblem(error);
  const body = JSON.stringify(problem);
  const headers = { ...problemHeaders(error), 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
}

/** An HTTP server that can be stopped without losing a request. */
export interface HttpServer {
  readonly server: Server;
  /** Takes no new connections, finishes the requests under way, and resolves when the last connection is closed. */
  stop(graceMilliseconds: number): Promise<void>;
}

/**
 * Makes the server of a service, not yet listening. The order of a request: size and form of its head, key, route; its
 * body is not touched before that.
 */
export function createHttpServer(service: Service, openapi: string, store: Store, keys: Keys): HttpServer {
  let stopping = false;
  const app = createApp(service, openapi, {
    async ready() {
      if (stopping)
        throw new ApiError('unavailable', 'The server is shutting down.', { headers: { 'Retry-After': '1' } });
      await store.check();
    },
  });
  const { basePath } = service;
  const needsKey = (path: string): boolean => path.startsWith(`${basePath}/`) || path === basePath;

  const listener = getRequestListener(
    (request, bindings) => {
      const { incoming, outgoing } = bindings as HttpBindings;
      const { headers, url = '' } = incoming;
      if (stopping) outgoing.shouldKeepAlive = false;
      if (url.length > maxTargetBytes) return problemResponse(uriTooLong());
      const hosts = hostCount(incoming);
      if (hosts > 1 || (hosts === 0 && incoming.httpVersion === '1.1')) {
        return problemResponse(new ApiError('bad_request', 'There must be one Host header.'));
      }
      const refused = needsKey(pathOf(request)) ? keys.refusal(headers.authorization) : undefined;
      if (refused) return problemResponse(refused);
      return app.fetch(request, { incoming, outgoing, store });
    },
    {
      hostname: 'localhost',
      // Its own Response is the fast one; see the listener's documentation.
      overrideGlobalObjects: true,
      errorHandler: () => problemResponse(new ApiError('bad_request', 'The request target or the Host is not valid.')),
    },
  );

  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      requireHostHeader: false,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
    },
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    awaitingContinue.add(incoming);
    void listener(incoming, outgoing);
  });
  server.on('checkExpectation', (_: IncomingMessage, outgoing: ServerResponse) => {
    const error = new ApiError('expectation_failed', 'The only expectation that can be met is 100-continue.');
    outgoing.writeHead(417, problemHeaders(error)).end(JSON.stringify(toProblem(error)));
  });
  server.on('connect', (_: IncomingMessage, socket: Duplex) => {
    answerSocket(socket, new ApiError('bad_request', 'This server is no proxy.'));
  });
  server.on('clientError', (error, socket) => {
    // Where an answer has begun, bytes in between would only corrupt it.
    if (socket.writable && !answerOf(socket)?.headersSent) answerSocket(socket, refusal(error));
    else socket.destroy(error);
  });

  const sockets = new Set<Duplex>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  return {
    server,
    stop(graceMilliseconds) {
      stopping = true;
      // Answers under way are the last of their connections, and say so.
      for (const socket of sockets) {
        const answer = answerOf(socket);
        if (answer) answer.shouldKeepAlive = false;
      }
      return new Promise((resolve) => {
        // A connection becomes idle when its last answer is out; only then can it be closed without harm.
        const idle = setInterval(() => server.closeIdleConnections(), 20);
        const grace = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
        server.close(() => {
          clearInterval(idle);
          clearTimeout(grace);
          resolve();
        });
      });
    },
  };
}
