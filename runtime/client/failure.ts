import type {
  CommonFieldErrorCode,
  ErrorCode,
  errorCodes,
  FieldErrorOf,
  ReferencedBy,
} from '../kernel/model/error-codes.ts';

export type { ReferencedBy } from '../kernel/model/error-codes.ts';

/** One error in a body, or in an operation of a batch: an RFC 6901 pointer into it, a stable code, and a message for people. */
export type FieldError = FieldErrorOf<CommonFieldErrorCode | `invalid_${string}`>;

/** The statuses of the codes of features. */
interface FeatureStatuses {
  readonly too_many_groups: 400;
  readonly sum_too_large: 400;
  readonly unauthorized: 401;
  readonly insufficient_scope: 403;
  readonly idempotency_key_in_use: 409;
  readonly still_referenced: 409;
  readonly cascade_too_large: 409;
  readonly changed_since: 409;
  readonly locked: 409;
  readonly not_unique: 409;
  readonly events_removed: 410;
  readonly idempotency_key_reused: 422;
  readonly rule_violated: 422;
  readonly refused: 422;
  readonly rate_limited: 429;
}

type Statuses = { readonly [Code in ErrorCode]: (typeof errorCodes)[Code]['status'] } & FeatureStatuses;

/** The members of all problems. */
interface ServerProblemOf<Code extends keyof Statuses> {
  readonly code: Code;
  readonly status: Statuses[Code];
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

export interface NotUnique extends ServerProblemOf<'not_unique'> {
  /** One for each of the unique fields. */
  readonly errors: readonly FieldError[];
  /** The id of the record with the same values; absent if an earlier operation of the batch creates it. */
  readonly conflicting_id?: string;
}

interface ReferenceMissing extends ServerProblemOf<'reference_missing'> {
  /** One for each field that names no record. */
  readonly errors: readonly FieldError[];
}

interface StillReferenced extends ServerProblemOf<'still_referenced'> {
  readonly referenced_by: readonly ReferencedBy[];
}

interface EventsRemoved extends ServerProblemOf<'events_removed'> {
  /** The number of the first event that is there. */
  readonly first_number: number;
}

/** A write that a hook of the service refuses, with a code of its own. */
interface Refused<Code extends string> extends Omit<ServerProblemOf<'refused'>, 'code'> {
  readonly code: Code;
  /** One, if the refusal is about a field. */
  readonly errors?: readonly FieldError[];
}

/** Problems with members of their own. */
type Detailed = InvalidBody | NotUnique | ReferenceMissing | StillReferenced | EventsRemoved;

type PlainCode = Exclude<keyof Statuses, Detailed['code'] | 'refused'>;

/** A problem as the server sends it (RFC 9457). @typeParam Own the codes of the service's hooks */
export type ServerProblem<Own extends string = never> =
  { [Code in PlainCode]: ServerProblemOf<Code> }[PlainCode] | Detailed | { [Code in Own]: Refused<Code> }[Own];

/** A problem that the client itself has found. */
export type ClientProblem =
  /** No response, or not all of it: of a write the outcome is unknown. */
  | { readonly code: 'network_error'; readonly detail: string }
  /** No response within the timeout: of a write the outcome is unknown. */
  | { readonly code: 'timed_out'; readonly detail: string }
  /** A response that is not the service's, like the page of a proxy. `status` is 0 for a redirect in a browser. */
  | { readonly code: 'unexpected_response'; readonly status: number; readonly detail: string };

/** A failure, by its `code`. A newer server may have codes that are not in this list. */
export type Problem<Own extends string = never> = ServerProblem<Own> | ClientProblem;

/** The details of a failure beside its problem. */
interface FailureOptions extends ErrorOptions {
  readonly retryAfter?: number | undefined;
  readonly etag?: string | undefined;
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
  /** The ETag that the record has now, if the code is `stale`. */
  readonly etag: string | undefined;

  /** @param request method and path, for the message */
  constructor(request: string, problem: Problem, { retryAfter, etag, ...options }: FailureOptions = {}) {
    super(`${request}: ${messageOf(problem)}`, options);
    this.problem = problem;
    this.retryAfter = retryAfter;
    this.etag = etag;
  }
}

/** The error of an operation of a service with hooks. @typeParam Own the codes of the hooks */
export interface FailureOf<Own extends string> extends Omit<ApiFailure, 'problem'> {
  readonly problem: Problem<Own>;
}

/** `ApiFailure`, as a service with hooks exports it. */
export interface FailureClass<Own extends string> {
  new (...args: ConstructorParameters<typeof ApiFailure>): FailureOf<Own>;
  readonly prototype: FailureOf<Own>;
}
