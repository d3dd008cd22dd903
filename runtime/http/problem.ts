import { type ApiError, errorCodes } from '../errors.ts';
import { newRequestId, type TracedResponse } from '../observe/response.ts';

/** The answer to a request that failed: a problem (RFC 9457), as JSON. */
export function toProblem(
  { code, message: detail, errors, errorsOmitted, headers, operation }: ApiError,
  requestId = newRequestId(),
) {
  const { status, title } = errorCodes[code];
  const type = `/problems/${code}`;
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
