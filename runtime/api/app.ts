import { Hono } from 'hono';
import { HonoRequest } from 'hono/request';
import type { RouterRoute } from 'hono/types';
import { ApiError } from '../model/errors.ts';
import { shorten } from '../model/text.ts';
import type { Client } from '../auth/principal.ts';
import { allows, everything, type Permission, permissionOf } from '../auth/scopes.ts';
import { Routes } from '../observability/route.ts';
import type { Env, Service } from './service.ts';
import type { Asset } from '../model/asset.ts';
import { assetHandler, publishAssets, redirect } from './assets.ts';
import { batch, type FindWrite } from './batch.ts';
import { tableReadBy } from './handlers.ts';
import { describeKey } from './own-key.ts';
import { refuseQuery } from './query.ts';
import { failureResponse, problemResponse } from './problem.ts';
import { problemPath, showProblemPage } from './problem-pages.ts';
import { readExpand } from './view.ts';
import { type WriteRoute, writeRouteOf } from './write-handlers.ts';

/** A write that an operation of a batch may be, and what it requires. */
interface Writable {
  readonly route: WriteRoute;
  readonly permission: Permission;
}

/**
 * @param realm the name of the service, as for a missing key (RFC 6750, 3.1)
 * @throws ApiError `insufficient_scope` (403)
 */
function requirePermission(realm: string, { scopes }: Client, permission: Permission): void {
  if (allows(scopes, permission)) return;
  const { scope } = permission;
  const challenge = `Bearer realm="${realm}", error="insufficient_scope", scope="${scope}"`;
  const detail = `The API key may not do this: it needs the scope ${scope}.`;
  throw new ApiError('insufficient_scope', detail, { headers: { 'WWW-Authenticate': challenge } });
}

/** Of paths that no request has come with, only the parameters are read. */
const anyRequest = new Request('http://localhost');

const noPath = (path: string): ApiError => new ApiError('not_found', `No route matches ${shorten(path)}.`);

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
 * @param assets files for browsers, beside the OpenAPI document; `/` leads to the first one, and browsers to that at `/`
 * @param routes is given each route
 */
export function createApp(
  service: Service,
  openapi: string,
  ready: () => Promise<void>,
  assets: readonly Asset[] = [],
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
  own.get(problemPath(':code'), showProblemPage);
  const document: Asset = {
    path: '/openapi.json',
    type: 'application/json',
    // Without the spaces that reviewers of the file need.
    get body() {
      return JSON.stringify(JSON.parse(openapi));
    },
  };
  const [start] = assets;
  const page = assets.find(({ path }) => path === '/');
  const showPage = page && assetHandler(page);
  if (start) {
    own.get('/', (c) => {
      refuseQuery(c.req.url);
      const isBrowser = c.env.incoming.headers.accept?.includes('text/html');
      return showPage && isBrowser ? showPage(c) : redirect(start.path.slice(1));
    });
  }
  publishAssets(own, [document, ...assets.filter((asset) => asset !== page)]);
  const app = new Hono<Env>({ getPath: pathOf });
  const batchPath = `${service.basePath}/batch`;
  /** By their methods and the patterns of their paths. */
  const writes = new Map<string, Writable>();
  const findWrite: FindWrite = (client, method, path) => {
    if (path === batchPath) throw new ApiError('not_found', 'A batch cannot be an operation of a batch.');
    // The router takes paths as requests have them, and fails with others.
    if (!path.startsWith('/')) throw noPath(path);
    const found = app.router.match(method, path);
    const [, { path: pattern = '' } = {}] = found[0][0]?.[0] ?? [];
    const write = writes.get(`${method} ${pattern}`);
    if (!write) throw noRoute(method, path);
    requirePermission(service.name, client, write.permission);
    return { route: write.route, id: new HonoRequest(anyRequest, path, found).param('id') ?? '' };
  };
  // Each of its operations requires a permission of its own.
  own.post(batchPath, batch(findWrite));
  own.get(`${service.basePath}/key`, describeKey);
  const mount = ({ method, path, handler }: RouterRoute, permission?: Permission): void => {
    const route = routes.add(method, path);
    const write = writeRouteOf(handler);
    if (write && permission) writes.set(`${method} ${path}`, { route: write, permission });
    const head = method === 'GET' ? routes.add('HEAD', path) : route;
    const { expand } = tableReadBy(handler) ?? {};
    app.on(method, path, (c, next) => {
      const { incoming, outgoing, client } = c.env;
      outgoing.route = incoming.method === 'HEAD' ? head : route;
      if (permission) requirePermission(service.name, client, permission);
      if (expand && !client.scopes.has(everything)) {
        for (const name of readExpand(c.req.url)) {
          const items = reads.get(expand[name] ?? '');
          if (items) requirePermission(service.name, client, items);
        }
      }
      return handler(c, next);
    });
  };
  /** What a read of each table requires. */
  const reads = new Map<string, Permission>();
  for (const { method, path, handler } of service.app.routes) {
    const table = tableReadBy(handler);
    if (table) reads.set(table.name, permissionOf(method, path, service.basePath));
  }
  for (const route of own.routes) mount(route);
  for (const route of service.app.routes) mount(route, permissionOf(route.method, route.path, service.basePath));

  /** The error of a request that no route matches. */
  const noRoute = (method: string, path: string): ApiError => {
    const allowed = methods.filter((other) => app.router.match(other, path)[0].length > 0);
    if (allowed.length === 0) return noPath(path);
    if (allowed[0] === 'GET') allowed.splice(1, 0, 'HEAD');
    const list = allowed.join(', ');
    const detail = `The method ${method} is not allowed. Allowed methods: ${list}.`;
    return new ApiError('method_not_allowed', detail, { headers: { Allow: list } });
  };
  app.notFound((c) => problemResponse(noRoute(c.env.incoming.method as string, c.req.path), c.env.outgoing));

  app.onError((error, c) => failureResponse(error, c.env.outgoing));
  return app;
}
