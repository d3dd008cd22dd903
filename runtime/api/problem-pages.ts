import type { Context } from 'hono';
import { ApiError, type ErrorCode, errorCodes } from '../model/errors.ts';
import type { Env } from './service.ts';

/** The path of the page that says what a code means: the `type` of a problem (RFC 9457, 3.1.1). */
export const problemPath = (code: string): string => `/problems/${code}`;

const html = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>');

function pageOf(code: ErrorCode): string {
  const { status, title, meaning, remedy } = errorCodes[code];
  return `<!doctype html>
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
}

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Answers with the page of a code. It needs no API key. @throws ApiError `not_found` (404) */
export function showProblemPage(c: Context<Env>): Response {
  const code = c.req.param('code') ?? '';
  if (!Object.hasOwn(errorCodes, code)) throw new ApiError('not_found', 'There is no such problem.');
  return new Response(pageOf(code as ErrorCode), { headers });
}
