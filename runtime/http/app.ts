import { Hono } from 'hono';
import { HonoRequest } from 'hono/request';
import { ApiError, errorCodes, shorten } from '../errors.ts';
import { log } from '../observe/log.ts';
import type { TracedResponse } from '../observe/response.ts';
import { Routes } from '../observe/route.ts';
import type { Env, Service } from '../service.ts';
import { batch, type FindWrite } from './batch.ts';
import { refuseQuery } from './query.ts';
import { problemResponse } from './problem.ts';
import { type WriteRoute, writeRouteOf } from './write-handlers.ts';

/** Of paths that no request has come with, only the parameters are read. */
const anyRequest = new Request('http://localhost');

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * The path of a request as it is routed: as it was sent, percent signs and all. The key is checked on the same path, so
 * that no spelling of it passes one and not the other.
 */
export function pathOf(request: Request): string {
  const { url } = request;
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const query = url.indexOf('?', start);
  return url.slice(start, query === -1 ? undefined : query);
}

/**
 * The whole HTTP application: the service's routes, those that every service has, and a problem for everything else.
 *
 * @param ready throws ApiError `unavailable` while the service cannot answer
 * @param routes is given each route
 */
export function createApp(
  service: Service,
  openapi: string,
  ready: () => Promise<void>,
  routes = new Routes(),
): Hono<Env> {
  const own = new Hono<Env>();
  const publish = (path: string, body: string, before?: () => Promise<void>): unknown => {
    // All answers share the bytes.
    const bytes = Buffer.from(body);
    return own.get(path, async (c) => {
      refuseQuery(c.req.url);
      await before?.();
      return new Response(bytes, { headers: { 'Content-Type': 'application/json' } });
    });
  };
  publish('/healthz', '{"status":"ok"}');
  publish('/readyz', '{"status":"ready"}', ready);
  publish('/openapi.json', openapi);
  const app = new Hono<Env>({ getPath: pathOf });
  const batchPath = `${service.basePath}/batch`;
  /** By their methods and the patterns of their paths. */
  const writes = new Map<string, WriteRoute>();
  const findWrite: FindWrite = (method, path) => {
    if (path === batchPath) throw new ApiError('not_found', 'A batch cannot be an operation of a batch.');
    const found = app.router.match(method, path);
    const [, { path: pattern = '' } = {}] = found[0][0]?.[0] ?? [];
    const route = writes.get(`${method} ${pattern}`);
    if (!route) throw noRoute(method, path);
    return { route, id: new HonoRequest(anyRequest, path, found).param('id') ?? '' };
  };
  own.post(batchPath, batch(findWrite));
  for (const { method, path, handler } of [...own.routes, ...service.app.routes]) {
    const route = routes.add(method, path);
    const write = writeRouteOf(handler);
    if (write) writes.set(`${method} ${path}`, write);
    const head = method === 'GET' ? routes.add('HEAD', path) : route;
    app.on(method, path, (c, next) => {
      const { incoming, outgoing } = c.env;
      outgoing.route = incoming.method === 'HEAD' ? head : route;
      return handler(c, next);
    });
  }

  /** The error of a request that no route matches. */
  const noRoute = (method: string, path: string): ApiError => {
    const allowed = methods.filter((other) => app.router.match(other, path)[0].length > 0);
    if (allowed.length === 0) return new ApiError('not_found', `No route matches ${shorten(path)}.`);
    if (allowed[0] === 'GET') allowed.splice(1, 0, 'HEAD');
    const list = allowed.join(', ');
    const detail = `The method ${method} is not allowed. Allowed methods: ${list}.`;
    return new ApiError('method_not_allowed', detail, { headers: { Allow: list } });
  };
  app.notFound((c) => problemResponse(noRoute(c.req.method, c.req.path), c.env.outgoing));

  app.onError((error, c) => {
    const { outgoing } = c.env;
    const known =
      error instanceof ApiError
        ? error
        : new ApiError('internal', 'The server failed to process the request.', { cause: error });
    const response = problemResponse(known, outgoing);
    if (errorCodes[known.code].status >= 500) logFailure(known, outgoing);
    return response;
  });
  return app;
}

/** For whoever runs the server: a client is not told the cause. */
function logFailure({ code, message, cause }: ApiError, { requestId, req, route }: TracedResponse): void {
  const fields = { request_id: requestId, method: req.method ?? '', route: route?.pattern ?? '', code };
  log.repeated(
    code === 'internal' ? 'error' : 'warn',
    message,
    cause === undefined ? fields : { ...fields, err: cause },
  );
}
