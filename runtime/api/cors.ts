import type { IncomingMessage } from 'node:http';

/** Which origins may use the service from a browser. */
export type Origins = ReadonlySet<string> | '*';

/** The headers that scripts of other origins may read, beside those that they always can. */
const exposed = [
  'Allow',
  'ETag',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/** The requests that scripts may send. */
const methods = 'GET, HEAD, POST, PATCH, DELETE';
const requestHeaders = 'Authorization, Content-Type, If-None-Match, X-Request-Id';

/** Seconds for which a browser need not ask again: the most that Chromium takes. */
const maxAge = 7_200;

/**
 * The permissions of scripts of other origins (https://fetch.spec.whatwg.org/#http-cors-protocol). Credentials of browsers, like cookies,
 * are never allowed: a key is sent by the script.
 */
export class Cors {
  readonly #origins: Origins;

  constructor(origins: Origins) {
    this.#origins = origins;
  }

  /** Headers of each answer to a request, as names and values in turn. */
  headersFor({ headers: { origin = '' } }: IncomingMessage): readonly string[] {
    const isAll = this.#origins === '*';
    const vary = isAll ? [] : ['Vary', 'Origin'];
    if (!this.#allows(origin)) return vary;
    const allowed = isAll ? '*' : origin;
    return [...vary, 'Access-Control-Allow-Origin', allowed, 'Access-Control-Expose-Headers', exposed];
  }

  /** The headers of the answer to a preflight request of an allowed origin; undefined of any other request. */
  preflightHeaders({ method, headers }: IncomingMessage): Readonly<Record<string, string>> | undefined {
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    if (!isPreflight || !this.#allows(headers.origin ?? '')) return undefined;
    return {
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': requestHeaders,
      'Access-Control-Max-Age': String(maxAge),
    };
  }

  #allows(origin: string): boolean {
    return origin !== '' && (this.#origins === '*' || this.#origins.has(origin));
  }
}

/** How `CORS_ORIGINS` is written. */
export const originsRule =
  '* or origins separated by commas, each as browsers send it: https://app.example.com, without a path, and with a port where it is ' +
  'not the usual one';

/** Reads `CORS_ORIGINS`. @returns undefined where it is not valid */
export function parseOrigins(text: string): Origins | undefined {
  const origins = text.split(',').flatMap((origin) => origin.trim() || []);
  if (origins.length === 1 && origins[0] === '*') return '*';
  return origins.length > 0 && origins.every(isOrigin) ? new Set(origins) : undefined;
}

function isOrigin(text: string): boolean {
  // Apps have schemes of their own, like capacitor://localhost.
  if (!/^https?:/.test(text)) return /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+$/.test(text);
  // A wildcard would stand for nothing but itself.
  return !text.includes('*') && URL.canParse(text) && new URL(text).origin === text;
}
