import { Hono } from 'hono';
import { allCodes, type FeatureCode } from '../model/error-codes.ts';
import { ApiError } from '../model/errors.ts';
import type { Asset } from '../model/asset.ts';
import { shorten } from '../model/text.ts';
import { assetHandler, type Get, isBrowser, leadToPlace, publishAssets, redirect } from './assets.ts';
import { problemPages, problemPath, problemResponse } from './problem.ts';
import { refuseQuery } from './query.ts';
import type { Env, Routes, Service } from './service.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * The path of a request as it is routed: as it was sent, percent signs and all. The key is checked on the same path, so
 * that no spelling of it passes one and not the other.
 */
export function routedPath(request: Request): string {
  const { url } = request;
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const query = url.indexOf('?', start);
  return url.slice(start, query === -1 ? undefined : query);
}

/** Publishes paths of an application that take no query. */
export const getOf =
  (app: Hono<Env>): Get =>
  (path, handler) =>
    app.get(path, (c) => {
      c.env.outgoing.pattern = path;
      refuseQuery(c.req.url);
      return handler(c);
    });

/** Makes the error of a request that no route of an application matches. */
export const noRouteIn =
  ({ router }: Hono<Env>) =>
  (method: string, path: string): ApiError => {
    // The router takes paths as requests have them, and fails with others.
    const isPath = path.startsWith('/');
    const allowed = methods.filter((other) => isPath && router.match(other, path)[0].length > 0);
    if (allowed.length === 0) return new ApiError('not_found', `No route matches ${shorten(path)}.`);
    if (allowed[0] === 'GET') allowed.splice(1, 0, 'HEAD');
    const list = allowed.join(', ');
    // The path of a record for that of all of them, or the reverse.
    const places = [`${path}/{id}`, path.slice(0, path.lastIndexOf('/')) || '/'];
    const place = places.find((other) => router.match(method, other)[0].length > 0);
    const hint = place === undefined ? '' : ` ${method} is at ${shorten(place)}.`;
    const detail = `The method ${method} is not allowed. Allowed methods: ${list}.${hint}`;
    return new ApiError('method_not_allowed', detail, { headers: { Allow: list } });
  };

/**
 * The whole HTTP application: the service's routes, those of features, and a problem for everything else.
 *
 * @param ready throws ApiError `unavailable` while the service cannot respond
 * @param assets files for browsers, beside the OpenAPI document; `/` leads to the first one, and browsers to that at `/`
 * @param routes of features: they come before all others
 * @param codes those that have pages
 */
export function createApp(
  service: Service,
  openapi: string,
  ready: () => Promise<void>,
  assets: readonly Asset[] = [],
  routes: readonly Routes[] = [],
  codes: readonly FeatureCode[] = allCodes([]),
): Hono<Env> {
  const app = new Hono<Env>({ getPath: routedPath });
  for (const mount of routes) mount(app, service, codes);
  const get = getOf(app);
  const publish = (path: string, body: string, before?: () => Promise<void>): void => {
    // All responses share the bytes.
    const bytes = Buffer.from(body);
    get(path, async () => {
      await before?.();
      return new Response(bytes, { headers: { 'Content-Type': 'application/json' } });
    });
  };
  publish('/healthz', '{"status":"ok"}');
  publish('/readyz', '{"status":"ready"}', ready);
  get(problemPath(':code'), problemPages(codes));
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
    get('/', (c) => {
      return showPage && isBrowser(c.env.incoming) ? showPage(c) : redirect(start.path.slice(1));
    });
  }
  publishAssets(get, [document, ...assets.filter((asset) => asset !== page)]);
  app.route('/', service.app);
  app.notFound((c) => {
    const { incoming, outgoing } = c.env;
    const noRoute = (): ApiError => noRouteIn(app)(incoming.method as string, c.req.path);
    return leadToPlace(c, assets) ?? problemResponse(noRoute(), outgoing);
  });

  app.onError((error, c) => problemResponse(error, c.env.outgoing));
  return app;
}
