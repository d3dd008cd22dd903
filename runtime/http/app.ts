import { Hono } from 'hono';
import { ApiError, errorCodes, shorten } from '../errors.ts';
import { log } from '../observe/log.ts';
import type { TracedResponse } from '../observe/response.ts';
import { Routes } from '../observe/route.ts';
import type { Env, Service } from '../service.ts';
import { refuseQuery } from './query.ts';
import { problemResponse } from './problem.ts';

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
  for (const { method, path, handler } of [...own.routes, ...service.app.routes]) {
    const route = routes.add(method, path);
    const head = method === 'GET' ? routes.add('HEAD', path) : route;
    app.on(method, path, (c, next) => {
      const { incoming, outgoing } = c.env;
      outgoing.route = incoming.method === 'HEAD' ? head : route;
      return handler(c, next);
    });
  }

  app.notFound((c) => {
    const allowed = methods.filter((method) => app.router.match(method, c.req.path)[0].length > 0);
    if (allowed.length === 0) {
      return problemResponse(new ApiError('not_found', `No route matches ${shorten(c.req.path)}.`), c.env.outgoing);
    }
    if (allowed[0] === 'GET') allowed.splice(1, 0, 'HEAD');
    const list = allowed.join(', ');
    const detail = `The method ${c.req.method} is not allowed. Allowed methods: ${list}.`;
    return problemResponse(new ApiError('method_not_allowed', detail, { headers: { Allow: list } }), c.env.outgoing);
  });

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
