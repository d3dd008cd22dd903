import type { IncomingMessage } from 'node:http';

/** Which origins may use the service from a browser. */
export type Origins = ReadonlySet<string> | '*';

/**
 * The requests that scripts may send: also with the headers of tracing libraries, which add them to all (W3C Trace Context and
 * Baggage, Sentry). Seconds for which a browser need not ask again: the most that Chromium takes.
 */
const allowed = (others: readonly string[]): Record<string, string> => ({
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PATCH, DELETE',
  'Access-Control-Allow-Headers': [
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id',
    'traceparent, tracestate, baggage, sentry-trace',
    ...others,
  ].join(', '),
  'Access-Control-Max-Age': '7200',
});

const allows = (origins: Origins, origin = ''): boolean => origin !== '' && (origins === '*' || origins.has(origin));

/**
 * The headers of each response for scripts of other origins (https://fetch.spec.whatwg.org/#http-cors-protocol), as names and
 * values in turn. They may read all headers. Credentials of browsers, like cookies, are never allowed: the script sends a key.
 */
export function corsHeaders(origins: Origins, { headers: { origin = '' } }: IncomingMessage): readonly string[] {
  const vary = origins === '*' ? [] : ['Vary', 'Origin'];
  if (!allows(origins, origin)) return vary;
  const named = origins === '*' ? '*' : origin;
  return [...vary, 'Access-Control-Allow-Origin', named, 'Access-Control-Expose-Headers', '*'];
}

/**
 * The response to a preflight request of an allowed origin; undefined for any other request.
 *
 * @param others the headers of features that it may have
 */
export function preflightResponse(
  origins: Origins,
  { method, headers }: IncomingMessage,
  others: readonly string[],
): Response | undefined {
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  return isPreflight && allows(origins, headers.origin)
    ? new Response(null, { status: 204, headers: allowed(others) })
    : undefined;
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
