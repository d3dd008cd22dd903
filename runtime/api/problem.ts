import { ApiError, errorCodes } from '../model/errors.ts';
import { log } from '../observability/log.ts';
import { newRequestId, type TracedResponse } from '../observability/response.ts';
import { problemPath } from './problem-pages.ts';

/** The answer to a request that failed: a problem (RFC 9457), as JSON. */
export function toProblem(
  { code, message: detail, errors, errorsOmitted, headers, operation }: ApiError,
  requestId = newRequestId(),
) {
  const { status, title } = errorCodes[code];
  const type = problemPath(code);
  const rest = { operation, errors, errors_omitted: errorsOmitted };
  const body = { type, title, status, detail, code, request_id: requestId, ...rest };
  const allHeaders = { 'Content-Type': 'application/problem+json', ...headers };
  return { status, headers: allHeaders, body: JSON.stringify(body) };
}

/** A problem with the id of the request that `outgoing` answers, which is recorded with its code. */
export function problemResponse(error: ApiError, outgoing: TracedResponse): Response {
  outgoing.code = error.code;
  const { body, status, headers } = toProblem(error, outgoing.requestId);
  return new Response(body, { status, headers });
}

/** The answer to a request that an error has ended. One of the server itself is logged, with its cause. */
export function failureResponse(error: unknown, outgoing: TracedResponse): Response {
  const known =
    error instanceof ApiError
      ? error
      : new ApiError('internal', 'The server failed to process the request.', { cause: error });
  const response = problemResponse(known, outgoing);
  if (errorCodes[known.code].status >= 500) logFailure(known, outgoing);
  return response;
}

/** For whoever runs the server: a client is not told the cause. */
function logFailure({ code, message, cause }: ApiError, { requestId, req, pattern = '' }: TracedResponse): void {
  const fields = { request_id: requestId, method: req.method ?? '', route: pattern, code };
  log.repeated(
    errorCodes[code].status === 500 ? 'error' : 'warn',
    message,
    cause === undefined ? fields : { ...fields, err: cause },
  );
}
