import { Hono } from 'hono';
import { ApiError, shorten } from '../errors.ts';
import type { Env, Service } from '../service.ts';
import { refuseQuery } from './query.ts';
import { problemResponse, toProblem } from './problem.ts';

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
 */
export function createApp(service: Service, openapi: string, ready: () => Promise<void>): Hono<Env> {
  const app = new Hono<Env>({ getPath: pathOf });
  const publish = (path: string, body: string, before?: () => Promise<void>): unknown => {
    // All answers share the bytes.
    const bytes = Buffer.from(body);
    return app.get(path, async (c) => {
      refuseQuery(c.req.url);
      await before?.();
      return new Response(bytes, { headers: { 'Content-Type': 'application/json' } });
    });
  };
  publish('/healthz', '{"status":"ok"}');
  publish('/readyz', '{"status":"ready"}', ready);
  publish('/openapi.json', openapi);
  app.route('/', service.app);

  app.notFound((c) => {
    const allowed = methods.filter((method) => app.router.match(method, c.req.path)[0].length > 0);
    if (allowed.length === 0) {
      return problemResponse(new ApiError('not_found', `No route matches ${shorten(c.req.path)}.`));
    }
    if (allowed[0] === 'GET') allowed.splice(1, 0, 'HEAD');
    const list = allowed.join(', ');
    const detail = `The method ${c.req.method} is not allowed. Allowed methods: ${list}.`;
    return problemResponse(new ApiError('method_not_allowed', detail, { headers: { Allow: list } }));
  });

  app.onError((error) => {
    const known =
      error instanceof ApiError
        ? error
        : new ApiError('internal', 'The server failed to process the request.', { cause: error });
    const problem = toProblem(known);
    // For whoever runs the server: a client is not told.
    if (known.cause !== undefined) console.error(`request ${problem.requestId} failed:`, known.cause);
    return problemResponse(known, problem);
  });
  return app;
}
