import type { CommonFieldErrorCode, ErrorCode, errorCodes, FieldErrorOf } from '../model/error-codes.ts';

/** One error in a body, or in an operation of a batch: an RFC 6901 pointer into it, a stable code, and a message for people. */
export type FieldError = FieldErrorOf<CommonFieldErrorCode | `invalid_${string}`>;

/** The members of all problems. */
interface ServerProblemOf<Code extends ErrorCode> {
  readonly code: Code;
  readonly status: (typeof errorCodes)[Code]['status'];
  readonly type: string;
  readonly title: string;
  /** For people; it may be reworded. */
  readonly detail: string;
  /** Finds the request in the log of the server. */
  readonly request_id: string;
  /** The place of the operation of a batch that it is about, from 0. */
  readonly operation?: number;
}

interface InvalidBody extends ServerProblemOf<'invalid_body'> {
  readonly errors: readonly FieldError[];
  /** How many errors there are beside `errors`. */
  readonly errors_omitted?: number;
}

/** A problem as the server answers it (RFC 9457). */
export type ServerProblem =
  | { [Code in Exclude<ErrorCode, 'invalid_body'>]: ServerProblemOf<Code> }[Exclude<ErrorCode, 'invalid_body'>]
  | InvalidBody;

/** A problem that the client itself has found. */
export type ClientProblem =
  /** No answer, or not all of it: of a write the outcome is unknown. */
  | { readonly code: 'network_error'; readonly detail: string }
  /** No answer within the timeout: of a write the outcome is unknown. */
  | { readonly code: 'timed_out'; readonly detail: string }
  /** An answer that is not the service's, like the page of a proxy. `status` is 0 for a redirect in a browser. */
  | { readonly code: 'unexpected_response'; readonly status: number; readonly detail: string };

/** A failure, by its `code`. A newer server may have codes that are not in this list. */
export type Problem = ServerProblem | ClientProblem;

/** The details of a failure beside its problem. */
interface FailureOptions extends ErrorOptions {
  readonly retryAfter?: number | undefined;
}

/** The sentence of a problem for people, with the errors in the body. */
const messageOf = (problem: Problem): string => {
  if (problem.code !== 'invalid_body') return problem.detail;
  return `${problem.detail} ${problem.errors.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')}`;
};

/** The error of an operation that has no successful response. `problem.code` tells the cases apart. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly problem: Problem;
  /** Seconds after which the server expects the request again, if it has said so. */
  readonly retryAfter: number | undefined;

  /** @param request method and path, for the message */
  constructor(request: string, problem: Problem, { retryAfter, ...options }: FailureOptions = {}) {
    super(`${request}: ${messageOf(problem)}`, options);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}
