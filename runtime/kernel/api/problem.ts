import type { Context } from 'hono';
import type { FeatureCode } from '../model/error-codes.ts';
import { ApiError } from '../model/errors.ts';
import { log } from '../../observability/log.ts';
import { newRequestId, type TracedResponse } from '../../observability/response.ts';
import type { Env } from './service.ts';

/** The path of the page that says what a code means: the `type` of a problem (RFC 9457, 3.1.1). */
export const problemPath = (code: string): string => `/problems/${code}`;

/** The response to a request that failed: a problem (RFC 9457), as JSON. */
export function toProblem(
  { row: { code, status, title }, message: detail, headers, extensions }: ApiError,
  requestId = newRequestId(),
) {
  const body = {
    type: problemPath(extensions.code ?? code),
    title,
    status,
    detail,
    code,
    request_id: requestId,
    ...extensions,
  };
  const allHeaders = { 'Content-Type': 'application/problem+json', ...headers };
  return { status, headers: allHeaders, body: JSON.stringify(body) };
}

/**
 * The response to a request that an error has ended: a problem with the id of the request, which is recorded with its code. An
 * error of the server itself is logged, with its cause.
 */
export function problemResponse(error: unknown, outgoing: TracedResponse): Response {
  const known =
    error instanceof ApiError
      ? error
      : new ApiError('internal', 'The server failed to process the request.', { cause: error });
  outgoing.code = known.code;
  const { body, status, headers } = toProblem(known, outgoing.requestId);
  if (status === 500 || status === 503) logFailure(known, outgoing);
  return new Response(body, { status, headers });
}

/** For whoever runs the server: a client is not told the cause. */
function logFailure(
  { code, status, message, cause }: ApiError,
  { requestId, req, pattern = '' }: TracedResponse,
): void {
  const fields = { request_id: requestId, method: req.method ?? '', route: pattern, code };
  log.repeated(status === 500 ? 'error' : 'warn', message, cause === undefined ? fields : { ...fields, err: cause });
}

const html = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** The page that says what a code means. */
export function problemPage({ code, status, title, meaning, remedy }: FeatureCode): Response {
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<h1>${title}</h1>
<p><code>${code}</code>, status ${status}</p>
<p>${html(meaning)}</p>
<p>${html(remedy)}</p>
</html>
`;
  return new Response(page, { headers });
}

/** Makes the function that responds with the page of a code. It needs no API key. @throws ApiError `not_found` (404) */
export const problemPages =
  (codes: readonly FeatureCode[]) =>
  (c: Context<Env>): Response => {
    const row = codes.find(({ code }) => code === c.req.param('code'));
    if (!row) throw new ApiError('not_found', 'There is no such problem.');
    return problemPage(row);
  };
