import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { FeatureCode } from '../kernel/model/error-codes.ts';
import { ApiError, unavailable, uriTooLong } from '../kernel/model/errors.ts';
import { maxBodyBytes, maxHeaderBytes, maxTargetBytes } from '../kernel/model/limits.ts';
import { basePath } from '../kernel/model/operations.ts';
import type { Recorder } from '../observability/recorder.ts';
import { TracedResponse } from '../observability/response.ts';
import type {
  Access,
  KeyedPath,
  Principal,
  ReadParameters,
  RequestEnv,
  Routes,
  Service,
} from '../kernel/api/service.ts';
import { mainOrganization } from '../kernel/sql/schema.ts';
import { plainPipeline } from '../kernel/records/perform.ts';
import type { Store } from '../kernel/records/store.ts';
import type { WritePipeline } from '../kernel/records/write-pipeline.ts';
import { createApp, routedPath } from '../kernel/api/app.ts';
import type { Asset } from '../kernel/model/asset.ts';
import { Capacity } from '../kernel/api/capacity.ts';
import { type ConnectionLimits, Connections } from './connections.ts';
import { keepAliveTimeout } from './limits.ts';
import { corsHeaders, type Origins, preflightResponse } from './cors.ts';
import { problemResponse } from '../kernel/api/problem.ts';

/** How often a request has a header. Node drops the repetitions of some from `headers`. @param name in lower case */
function countOf({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const written = rawHeaders[at] as string;
    if (written.length === name.length && written.toLowerCase() === name) count++;
  }
  return count;
}

/** The response to a request that Node's parser refuses. */
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

/** The error of a request whose headers are not acceptable. */
function headerError(incoming: IncomingMessage, outgoing: ServerResponse): ApiError | undefined {
  const { headers, httpVersion, url = '' } = incoming;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    // The end of a body with an unknown coding is not known: nothing behind it is read as a request.
    outgoing.shouldKeepAlive = false;
    return new ApiError('not_implemented', 'The only supported transfer coding is chunked.');
  }
  if (headers.expect !== undefined && httpVersion === '1.1' && !/\b100-continue\b/i.test(headers.expect)) {
    return new ApiError('expectation_failed', 'The only supported expectation is 100-continue.');
  }
  if (url.length > maxTargetBytes) return uriTooLong();
  const hosts = countOf(incoming, 'host');
  // RFC 9112, 3.2.
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    return new ApiError('bad_request', 'Exactly one Host header is required.');
  }
  // A proxy may have checked the other one.
  if (countOf(incoming, 'authorization') > 1) {
    return new ApiError('bad_request', 'The request has several Authorization headers. Send one.');
  }
  return undefined;
}

/** An HTTP server with a graceful shutdown. */
interface HttpServer {
  readonly server: Server;
  /** Bytes that large requests count for. */
  heldBytes(): number;
  /** Open connections. */
  connectionCount(): number;
  /**
   * Responds to `/readyz` with 503 from now on. Once it accepts no more connections, it finishes the requests in flight, and
   * resolves when the last connection is closed.
   *
   * @param untilNotAccepting resolves when it gets no more connections
   */
  stop(untilNotAccepting: () => Promise<void>): Promise<void>;
}

interface ServerOptions {
  readonly connections: ConnectionLimits;
  /** MiB that large requests count for at most: see `Capacity`. */
  readonly bufferedMebibytes: number;
  /** Files for browsers, beside the OpenAPI document. */
  readonly assets?: readonly Asset[];
  /** The parameters of reads that features add. */
  readonly parameters?: readonly ReadParameters[];
  /** The routes beside those of the service. */
  readonly routes?: readonly Routes[];
  /** The paths beside `/api` whose requests need a key. */
  readonly keyed?: readonly KeyedPath[];
  /** The codes of problems that have pages. */
  readonly codes?: readonly FeatureCode[];
  readonly pipeline?: WritePipeline;
  /** The prefix that a proxy puts before all paths. */
  readonly pathPrefix?: string | undefined;
  /** The other origins whose scripts may use it. */
  readonly corsOrigins?: Origins | undefined;
}

/**
 * Creates the server of a service, not yet listening. The order of a request: size and form of its headers, key, route;
 * its body is not read before that.
 *
 * @param access undefined if every request may do everything
 */
export function createHttpServer(
  service: Service,
  openapi: string,
  store: Store,
  access: Access | undefined,
  recorder: Recorder,
  {
    connections: limits,
    bufferedMebibytes,
    assets = [],
    parameters = [],
    routes = [],
    keyed = [],
    codes,
    pipeline = plainPipeline([]),
    pathPrefix = '',
    corsOrigins,
  }: ServerOptions,
): HttpServer {
  const capacity = new Capacity(bufferedMebibytes);
  /** The sender of a request that needs no key: it reaches no records, unless no request needs one. */
  const anonymous: Principal = {
    name: '',
    keyId: undefined,
    organization: mainOrganization,
    records: store.of(mainOrganization),
    limit: undefined,
    may: () => access === undefined,
    refusal: () => new ApiError('not_found', 'No route matches.'),
    takeRequest: () => undefined,
  };
  const senders: Access = access ?? { check: () => anonymous };
  let stopping = false;
  const ready = async (): Promise<void> => {
    if (stopping) throw unavailable('The server is shutting down.');
    await store.check();
  };
  const app = createApp(service, openapi, ready, assets, routes, codes);
  const keyedHeaders = keyed.flatMap(({ headers }) => headers);
  const keyedPaths = new Set([basePath, ...keyed.map(({ path }) => path)]);
  const needsKey = (path: string): boolean => path.startsWith(`${basePath}/`) || keyedPaths.has(path);
  const principalOf = (request: Request, { headers, socket }: IncomingMessage): ReturnType<Access['check']> =>
    needsKey(routedPath(request)) ? senders.check(headers.authorization, socket.remoteAddress) : anonymous;

  /** The response of a request whose target or Host the listener refuses: it calls its error handler with the error alone. */
  let begun: TracedResponse;

  const listener = getRequestListener(
    async (request, bindings) => {
      const { incoming, outgoing } = bindings as Pick<RequestEnv, 'incoming' | 'outgoing'>;
      const refused = headerError(incoming, outgoing);
      if (refused) return problemResponse(refused, outgoing);
      // It is sent without the key, of which it asks whether it may be sent.
      const preflight = corsOrigins && preflightResponse(corsOrigins, incoming, keyedHeaders);
      if (preflight) return preflight;
      const principal = await principalOf(request, incoming);
      if (principal instanceof ApiError) return problemResponse(principal, outgoing);
      outgoing.principal = principal;
      const limited = principal.takeRequest();
      if (limited) return problemResponse(limited, outgoing);
      // Node sends the headers alone. As a GET, its response has the length of one.
      if (incoming.method === 'HEAD') Object.defineProperty(request, 'method', { value: 'GET' });
      return app.fetch(request, {
        service,
        incoming,
        outgoing,
        principal,
        access: senders,
        capacity,
        parameters,
        pipeline,
        isStopping: () => stopping,
        pathPrefix,
      });
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
    ServerResponse: TracedResponse,
    maxHeaderSize: maxHeaderBytes,
    requireHostHeader: false,
    keepAliveTimeout,
  });
  const respond = (outgoing: TracedResponse): void => {
    begun = outgoing;
    if (corsOrigins) outgoing.cors = corsHeaders(corsOrigins, outgoing.req);
    void listener(outgoing.req, outgoing);
  };
  const connections = new Connections(server, limits, respond, (response) => recorder.record(response));
  server.on('connect', (_: IncomingMessage, socket: Duplex) => {
    // Node hands the socket over without a listener: a reset would end the process.
    socket.on('error', () => socket.destroy());
    const detail = 'The method CONNECT is not supported: this server is no proxy.';
    connections.fail(socket, new ApiError('bad_request', detail));
  });
  server.on('clientError', (error, socket) => connections.fail(socket, parserError(error)));

  return {
    server,
    heldBytes: () => capacity.large.held * maxBodyBytes,
    connectionCount: () => connections.count,
    async stop(untilNotAccepting) {
      stopping = true;
      await untilNotAccepting();
      await connections.close();
    },
  };
}
