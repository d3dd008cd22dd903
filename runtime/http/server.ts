import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { ApiError, unavailable } from '../errors.ts';
import { maxHeaderBytes, maxTargetBytes } from '../limits.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import type { Recorder } from '../observe/recorder.ts';
import { newRequestId, type TracedResponse } from '../observe/response.ts';
import type { Env, Service } from '../service.ts';
import type { Store } from '../store/store.ts';
import { createApp, pathOf } from './app.ts';
import type { KeyCheck } from './keys.ts';
import { problemResponse, toProblem } from './problem.ts';

const uriTooLong = (): ApiError =>
  new ApiError('uri_too_long', `The path and query are longer than the limit of ${maxTargetBytes} bytes.`);

/** The number of Host headers: it must be one (RFC 9112, 3.2). */
const hostCount = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host').length;

/** The answer to a request that Node's parser refuses. */
function parserError({ code, rawPacket }: NodeJS.ErrnoException & { rawPacket?: Buffer }): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('request_timeout', 'The request was not received in time.');
  }
  if (code !== 'HPE_HEADER_OVERFLOW') return new ApiError('bad_request', 'The request is not valid HTTP/1.1.');
  // The target is the culprit where the request line alone is too long.
  const lineEnd = rawPacket?.indexOf('\n') ?? 0;
  if (rawPacket && (lineEnd === -1 ? rawPacket.length : lineEnd) > maxTargetBytes) return uriTooLong();
  return new ApiError('headers_too_large', `The headers are larger than the limit of ${maxHeaderBytes} bytes.`);
}

/** The response that a connection is busy with. Node has no public name for it. */
const responseOf = (socket: Duplex): TracedResponse | undefined =>
  // oxlint-disable-next-line no-underscore-dangle
  (socket as { _httpMessage?: TracedResponse | null })._httpMessage ?? undefined;

/** Answers on a bare socket, where Node has made no response or gives up on it, and closes it. */
function answerSocket(socket: Duplex, error: ApiError, recorder: Recorder): void {
  const response = responseOf(socket);
  const requestId = response?.requestId ?? newRequestId();
  const { status, headers, body } = toProblem(error, requestId);
  const bytes = Buffer.byteLength(body);
  if (response) Object.assign(response, { statusCode: status, code: error.code, bytes });
  else recorder.refused({ requestId, status, code: error.code, bytes });
  const all = { ...headers, 'Content-Length': bytes, 'X-Request-Id': requestId, Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** An HTTP server with a graceful shutdown. */
interface HttpServer {
  readonly server: Server;
  /** Accepts no new connections, finishes the requests in flight, and resolves when the last connection is closed. */
  stop(graceMilliseconds: number): Promise<void>;
}

/**
 * Creates the server of a service, not yet listening. The order of a request: size and form of its headers, key, route;
 * its body is not read before that.
 */
export function createHttpServer(
  service: Service,
  openapi: string,
  store: Store,
  keys: KeyCheck,
  recorder: Recorder,
): HttpServer {
  let stopping = false;
  const ready = async (): Promise<void> => {
    if (stopping) throw unavailable('The server is shutting down.');
    await store.check();
  };
  const app = createApp(service, openapi, ready, recorder.routes);
  const { basePath } = service;
  const needsKey = (path: string): boolean => path.startsWith(`${basePath}/`) || path === basePath;
  const refusal = (request: Request, incoming: IncomingMessage): MaybePromise<ApiError | undefined> => {
    const { headers, httpVersion, url = '' } = incoming;
    if (headers.expect !== undefined && httpVersion === '1.1' && !/\b100-continue\b/i.test(headers.expect)) {
      return new ApiError('expectation_failed', 'The only supported expectation is 100-continue.');
    }
    if (url.length > maxTargetBytes) return uriTooLong();
    const hosts = hostCount(incoming);
    if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
      return new ApiError('bad_request', 'Exactly one Host header is required.');
    }
    return needsKey(pathOf(request)) ? keys.check(headers.authorization, incoming.socket.remoteAddress) : undefined;
  };

  /** The response of a request whose target or Host the listener refuses: it calls its error handler with the error alone. */
  let begun: TracedResponse;

  const listener = getRequestListener(
    (request, bindings) => {
      const { incoming, outgoing } = bindings as Env['Bindings'];
      if (stopping) outgoing.shouldKeepAlive = false;
      const error = refusal(request, incoming);
      if (error === undefined) return app.fetch(request, { incoming, outgoing, store });
      return andThen(error, (refused) =>
        refused ? problemResponse(refused, outgoing) : app.fetch(request, { incoming, outgoing, store }),
      );
    },
    {
      hostname: 'localhost',
      // Its own Response is the fast one; see the listener's documentation.
      overrideGlobalObjects: true,
      errorHandler: () =>
        problemResponse(new ApiError('bad_request', 'The request target or the Host header is not valid.'), begun),
    },
  );

  const server = createServer({
    ServerResponse: recorder.Response,
    maxHeaderSize: maxHeaderBytes,
    requireHostHeader: false,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 5_000,
  });
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, (incoming: IncomingMessage, outgoing: TracedResponse) => {
      begun = outgoing;
      void listener(incoming, outgoing);
    });
  }
  server.on('connect', (_: IncomingMessage, socket: Duplex) => {
    const error = new ApiError('bad_request', 'The method CONNECT is not supported: this server is no proxy.');
    answerSocket(socket, error, recorder);
  });
  server.on('clientError', (error, socket) => {
    // A response that has begun would only be corrupted.
    if (socket.writable && !responseOf(socket)?.headersSent) answerSocket(socket, parserError(error), recorder);
    else socket.destroy(error);
  });

  const sockets = new Set<Duplex>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  return {
    server,
    async stop(graceMilliseconds) {
      stopping = true;
      // Responses in flight are the last of their connections, and say so.
      for (const response of [...sockets].map(responseOf)) if (response) response.shouldKeepAlive = false;
      // A connection becomes idle when its last response is sent; only then can it be closed without harm.
      const idle = setInterval(() => server.closeIdleConnections(), 20);
      const grace = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
      try {
        if (server.listening) await server[Symbol.asyncDispose]();
      } finally {
        clearInterval(idle);
        clearTimeout(grace);
      }
    },
  };
}
