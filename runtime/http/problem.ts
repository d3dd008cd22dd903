import { randomUUID } from 'node:crypto';
import { type ApiError, errorCodes } from '../errors.ts';

/** The answer to a request that failed: a problem (RFC 9457) with a fresh request id, as JSON. */
export function toProblem({ code, message: detail, errors, errorsOmitted, headers }: ApiError) {
  const { status, title } = errorCodes[code];
  const requestId = randomUUID();
  const type = `/problems/${code}`;
  const body = { type, title, status, detail, code, request_id: requestId, errors, errors_omitted: errorsOmitted };
  const allHeaders = { 'Content-Type': 'application/problem+json', ...headers };
  return { requestId, status, headers: allHeaders, body: JSON.stringify(body) };
}

export const problemResponse = (error: ApiError, { body, status, headers } = toProblem(error)): Response =>
  new Response(body, { status, headers });
