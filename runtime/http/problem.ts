import { randomUUID } from 'node:crypto';
import { type ApiError, type ErrorCode, errorCodes, type FieldError } from '../errors.ts';

/** The body of every answer that is not a success (RFC 9457), as `application/problem+json`. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly request_id: string;
  readonly errors?: readonly FieldError[];
}

/** The problem of a failure, with a fresh request id. */
export function toProblem({ code, message, errors }: ApiError): Problem {
  const { status, title } = errorCodes[code];
  const problem = { type: `/problems/${code}`, title, status, detail: message, code, request_id: randomUUID() };
  return errors ? { ...problem, errors } : problem;
}

/** The headers that go with a problem. */
export const problemHeaders = (error: ApiError): Record<string, string> => ({
  'Content-Type': 'application/problem+json',
  ...error.headers,
});

export const problemResponse = (error: ApiError, problem = toProblem(error)): Response =>
  new Response(JSON.stringify(problem), { status: problem.status, headers: problemHeaders(error) });
