import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'hono';
import type { Asset } from '../model/asset.ts';
import type { Env } from './service.ts';
import { accepts, varying } from './responses.ts';

/** Publishes a path that has no parameters in its query. */
export type Get = (path: string, respond: (c: Context<Env>) => Response | Promise<Response>) => unknown;

/** An asset as it is sent, with a content coding or without one. */
interface Representation {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Whether a client has the representation with this tag already (RFC 9110, 13.1.2). */
const isFresh = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch.trim() === '*' || (ifNoneMatch.match(/"[^"]*"/g)?.includes(tag) ?? false));

type Coding = 'br' | 'gzip' | 'identity';

/** Bytes up to which an asset is compressed as far as possible: longer ones would take seconds. */
const maxSmall = 262_144;

const codersOf: Readonly<Record<Coding, (plain: Buffer) => Promise<Buffer>>> = {
  br: (plain) =>
    promisify(brotliCompress)(plain, {
      params: { [constants.BROTLI_PARAM_QUALITY]: plain.length <= maxSmall ? 10 : 7 },
    }),
  gzip: (plain) => promisify(gzip)(plain, { level: 9 }),
  identity: (plain) => Promise.resolve(plain),
};

/** The best coding that a client accepts: of long texts, brotli leaves a fourth less than gzip. */
const codingFor = (incoming: Pick<IncomingMessage, 'headers'>): Coding =>
  (['br', 'gzip'] as const).find((coding) => accepts(incoming, coding)) ?? 'identity';

/** Makes a representation of an asset, compressed if that makes it shorter: images are compressed already. */
async function represent(asset: Asset, coding: Coding): Promise<Representation> {
  const plain = typeof asset.body === 'string' ? Buffer.from(asset.body) : asset.body;
  const coded = await codersOf[coding](plain);
  const isShorter = coded.length < plain.length;
  const body = isShorter ? coded : plain;
  const headers = {
    'Content-Type': asset.type,
    'Content-Length': String(body.length),
    // The digest of the bytes that are sent: a strong tag tells representations apart.
    ETag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"`,
    'Cache-Control': 'no-cache',
    'Referrer-Policy': 'no-referrer',
    ...varying,
    ...(isShorter && { 'Content-Encoding': coding }),
    ...asset.headers,
  };
  return { body, headers };
}

/** Leads to a page by a relative URL: a proxy may have put a prefix before all paths. */
export const redirect = (location: string): Response =>
  new Response(null, { status: 302, headers: { Location: location, 'Content-Length': '0' } });

/** Seconds that a client may keep what never changes: a year. */
const longest = 31_536_000;

/**
 * Serves an asset: compressed as the client prefers, and 304 if the client has the current one. A browser asks each time, so
 * that it never shows an old one; at the path of its version it need not.
 */
export function assetHandler(asset: Asset): (c: Context<Env>) => Promise<Response> {
  /** Each is made when it is first requested. */
  const made = new Map<Coding, Promise<Representation>>();
  return async (c) => {
    const { incoming } = c.env;
    const coding = codingFor(incoming);
    const representation = made.getOrInsertComputed(coding, () => represent(asset, coding));
    // It may be possible the next time.
    representation.catch(() => made.delete(coding));
    const isFinal = asset.versioned !== undefined && c.req.param('version') === asset.versioned.version;
    const { body, headers: common } = await representation;
    const headers = isFinal ? { ...common, 'Cache-Control': `max-age=${longest}, immutable` } : common;
    const { 'Content-Type': _, 'Content-Length': __, ...unchanged } = headers;
    return isFresh(incoming.headers['if-none-match'], headers['ETag'] as string)
      ? new Response(null, { status: 304, headers: unchanged })
      : new Response(body, { headers });
  };
}

/** Whether the client of a request shows pages to people. */
export const isBrowser = ({ headers: { accept } }: Pick<IncomingMessage, 'headers'>): boolean =>
  accept?.includes('text/html') ?? false;

/**
 * Leads a browser that asks for a place of a page as a path, like `/console/crm/lead?status=Open`, to its fragment.
 *
 * @returns undefined for all other requests
 */
export function leadToPlace({ env: { incoming }, req }: Context<Env>, assets: readonly Asset[]): Response | undefined {
  if (!/^(?:GET|HEAD)$/.test(incoming.method ?? '') || !isBrowser(incoming)) return undefined;
  const page = assets.find(({ path, hasPlaces }) => hasPlaces && req.path.startsWith(`${path}/`));
  if (!page) return undefined;
  const place = req.path.slice(page.path.length);
  const up = '../'.repeat(place.split('/').length - 1);
  return redirect(`${up}${page.path.slice(1)}#${place}${new URL(req.url).search}`);
}

/** Serves assets at their paths. A page has a second path, with a slash behind it. */
export function publishAssets(get: Get, assets: readonly Asset[]): void {
  for (const asset of assets) {
    if (asset.type.startsWith('text/html')) {
      get(`${asset.path}/`, () => redirect(`../${asset.path.split('/').at(-1)}`));
    }
    const handler = assetHandler(asset);
    get(asset.path, handler);
    if (asset.versioned) get(asset.versioned.path, handler);
  }
}
