import { Hono } from 'hono';
import type { RouterRoute } from 'hono/types';
import { ApiError, shorten } from '../errors.ts';
import { allows, type Permission, permissionOf } from '../keys/scopes.ts';
import { Routes } from '../observe/route.ts';
import type { Env, Service } from '../service.ts';
import { refuseQuery } from './query.ts';
import { failureResponse, problemResponse } from './problem.ts';

/** @param realm the name of the service, as for a missing key (RFC 6750, 3.1) */
function insufficientScope(realm: string, { scope }: Permission): ApiError {
  const challenge = `Bearer realm="${realm}", error="insufficient_scope", scope="${scope}"`;
  const detail = `The API key may not do this: it needs the scope ${scope}.`;
  return new ApiError('insufficient_scope', detail, { headers: { 'WWW-Authenticate': challenge } });
}

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
  const mount = ({ method, path, handler }: RouterRoute, permission?: Permission): void => {
    const route = routes.add(method, path);
    const head = method === 'GET' ? routes.add('HEAD', path) : route;
    app.on(method, path, (c, next) => {
      const { incoming, outgoing, client } = c.env;
      outgoing.route = incoming.method === 'HEAD' ? head : route;
      if (permission && !allows(client.scopes, permission)) throw insufficientScope(service.name, permission);
      return handler(c, next);
    });
  };
  for (const route of own.routes) mount(route);
  for (const route of service.app.routes) mount(route, permissionOf(route.method, route.path, service.basePath));

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

  app.onError((error, c) => failureResponse(error, c.env.outgoing));
  return app;
}
