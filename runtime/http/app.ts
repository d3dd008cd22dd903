import { Hono } from 'hono';
import { ApiError, shorten } from '../errors.ts';
import type { Service } from '../service.ts';
import type { Env } from './handlers.ts';
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

const plain = { 'Content-Type': 'application/json' };

/** What the app asks of the server it runs in. */
export interface Readiness {
  /** Throws ApiError `unavailable` while the service cannot answer. */
  ready(): Promise<void>;
}

/** The whole HTTP application: the service's routes, those that every service has, and a problem for everything else. */
export function createApp(service: Service, openapi: string, { ready }: Readiness): Hono<Env> {
  const app = new Hono<Env>({ getPath: pathOf });
  app.get('/healthz', (c) => {
    refuseQuery(c.req.url);
    return new Response('{"status":"ok"}', { headers: plain });
  });
  app.get('/readyz', async (c) => {
    refuseQuery(c.req.url);
    await ready();
    return new Response('{"status":"ready"}', { headers: plain });
  });
  app.get('/openapi.json', (c) => {
    refuseQuery(c.req.url);
    return new Response(openapi, { headers: plain });
  });
  app.route('/', service.app);

  app.notFound((c) => {
    const allowed = methods.filter((method) => app.router.match(method, c.req.path)[0].length > 0);
    if (allowed.length === 0) {
      return problemResponse(new ApiError('not_found', `There is nothing at ${shorten(c.req.path)}.`));
    }
    if (allowed[0] === 'GET') allowed.splice(1, 0, 'HEAD');
    const list = allowed.join(', ');
    const detail = `${c.req.method} is not possible here; what is: ${list}.`;
    return problemResponse(new ApiError('method_not_allowed', detail, { headers: { Allow: list } }));
  });

  app.onError((error) => {
    const known = error instanceof ApiError ? error : new ApiError('internal', 'Something went wrong on our side.');
    const problem = toProblem(known);
    const cause = known === error ? known.cause : error;
    if (cause !== undefined) report(problem.request_id, cause);
    return problemResponse(known, problem);
  });
  return app;
}

/** Tells whoever runs the server what a caller is not told. */
function report(requestId: string, cause: unknown): void {
  console.error(`request ${requestId} failed:`, cause);
}
