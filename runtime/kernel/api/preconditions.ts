import { hash } from 'node:crypto';
import { ApiError } from '../model/errors.ts';
import type { ResourceOperation } from '../model/operations.ts';
import type { Once, Versions } from '../records/write.ts';
import type { RequestEnv } from './service.ts';

/** An entity tag (RFC 9110, 8.8.3). */
const tag = String.raw`(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")`;
const tagList = new RegExp(`^(?:[ \\t]*,)*[ \\t]*${tag}(?:[ \\t]*,(?:[ \\t]*${tag})?)*[ \\t]*$`);

/**
 * The tags of a list. A weak one counts as the strong one, although RFC 9110, 13.1.1 has it never match in `If-Match`: it is a
 * version, not bytes, and proxies that compress make the ETags of all responses weak.
 *
 * @throws ApiError `invalid_header` (400)
 */
function parseTags(name: string, value: string): '*' | readonly string[] {
  if (value.trim() === '*') return '*';
  if (tagList.test(value)) return Array.from(value.matchAll(new RegExp(tag, 'g')), ([, strong = '']) => strong);
  throw new ApiError('invalid_header', `${name} must be *, or ETags as responses have them, quotes and all: "3".`);
}

/**
 * The versions that a write may find: those of the tags of `If-Match`.
 *
 * @param operation undefined for a batch, whose operations have conditions of their own
 * @returns undefined if it may find any
 * @throws ApiError `invalid_header` (400)
 */
export function versionsOf(value: string | undefined, operation?: ResourceOperation): Versions | undefined {
  if (value === undefined) return undefined;
  if (!operation?.failures.includes(412)) {
    throw new ApiError('invalid_header', 'If-Match is for requests that change one record, which has an ETag.');
  }
  const tags = parseTags('If-Match', value);
  return tags === '*'
    ? undefined
    : tags.filter((one) => /^"[1-9]\d{0,15}"$/.test(one)).map((one) => Number(one.slice(1, -1)));
}

/** Whether a client has the version with this ETag already. @param value of `If-None-Match` @throws as `versionsOf` */
export function isKnown(etag: string, value: string): boolean {
  const tags = parseTags('If-None-Match', value);
  return tags === '*' || tags.includes(etag);
}

/** The `Idempotency-Key` of a request, which is done once for each key. @throws ApiError `invalid_header` (400) */
export function keyOf({ incoming }: RequestEnv): string | undefined {
  const sent = incoming.headers['idempotency-key'];
  if (sent === undefined) return undefined;
  // https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ has it as a quoted string.
  const key = String(sent).replace(/^"([^"]*)"$/, '$1');
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ApiError('invalid_header', 'Idempotency-Key must have 1 to 255 visible ASCII characters.');
}

/** Whether a request is one of an import: see `importable`. @throws ApiError `invalid_header` (400) */
export function isImport(value: string | readonly string[] | undefined): boolean {
  if (value === undefined || value === 'true') return value !== undefined;
  throw new ApiError('invalid_header', 'Import must be true, or left out.');
}

/** The values that identify a request with a key. @param digest that of its body, if it has one */
export function onceOf(
  { incoming, principal }: RequestEnv,
  key: string | undefined,
  path: string,
  digest = '',
): Once | undefined {
  if (key === undefined) return undefined;
  return { owner: principal.name, key, digest: hash('sha256', `${incoming.method} ${path} ${digest}`, 'hex'), ids: [] };
}
