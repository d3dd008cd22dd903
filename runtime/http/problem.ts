import { randomUUID } from 'node:crypto';
import { type ApiError, errorCodes } from '../errors.ts';

/** The answer to a request that failed: a problem (RFC 9457). */
export interface Problem {
  readonly requestId: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The problem of an error, with a fresh request id. */
export function toProblem({ code, message: detail, errors, headers }: ApiError): Problem {
  const { status, title } = errorCodes[code];
  const requestId = randomUUID();
  const body = { type: `/problems/${code}`, title, status, detail, code, request_id: requestId, errors };
  const allHeaders = { 'Content-Type': 'application/problem+json', ...headers };
  return { requestId, status, headers: allHeaders, body: JSON.stringify(body) };
}

export const problemResponse = (error: ApiError, { body, status, headers } = toProblem(error)): Response =>
  new Response(body, { status, headers });
