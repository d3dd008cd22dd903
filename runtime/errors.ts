import { maxListedErrors, maxTargetBytes } from './limits.ts';
import type { FormatErrorCode } from './schema/formats.ts';

/**
 * Every code an answer can carry, with its status and title. A retired code stays, commented out, so that it is never
 * given another meaning.
 */
export const errorCodes = {
  bad_request: { status: 400, title: 'Bad request' },
  invalid_query: { status: 400, title: 'Invalid query' },
  malformed_json: { status: 400, title: 'Malformed JSON' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  insufficient_scope: { status: 403, title: 'Insufficient scope' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'Request timeout' },
  wrong_state: { status: 409, title: 'Wrong state' },
  parent_missing: { status: 409, title: 'Parent missing' },
  idx_exhausted: { status: 409, title: 'Index exhausted' },
  body_too_large: { status: 413, title: 'Body too large' },
  uri_too_long: { status: 414, title: 'URI too long' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  expectation_failed: { status: 417, title: 'Expectation failed' },
  invalid_body: { status: 422, title: 'Invalid body' },
  rate_limited: { status: 429, title: 'Rate limited' },
  headers_too_large: { status: 431, title: 'Request header fields too large' },
  internal: { status: 500, title: 'Internal error' },
  not_implemented: { status: 501, title: 'Not implemented' },
  unavailable: { status: 503, title: 'Service unavailable' },
  overloaded: { status: 503, title: 'Overloaded' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** One error in a body: an RFC 6901 pointer into it, a stable code, and a message for people. */
export interface FieldError {
  pointer: string;
  /** A long key in the pointer is shortened, so that it leads nowhere. */
  pointer_shortened?: true;
  code: FieldErrorCode;
  message: string;
}

export type FieldErrorCode =
  | 'missing'
  | 'unknown_field'
  | 'wrong_type'
  | 'null_not_allowed'
  | 'read_only'
  | 'invalid_text'
  | 'too_short'
  | 'too_long'
  | 'too_small'
  | 'too_large'
  | 'pattern_mismatch'
  | 'not_in_enum'
  | FormatErrorCode
  | 'duplicate'
  | 'different_parent'
  | 'no_earlier_create';

interface ApiErrorOptions extends ErrorOptions {
  readonly errors?: readonly FieldError[];
  /** How many errors there are beside `errors`. */
  readonly errorsOmitted?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The place of the operation of a batch that it is about. */
  readonly operation?: number;
}

/**
 * An error the client may see, answered as a problem (RFC 9457). Clients match on `code`; `detail` may be reworded.
 * `headers` go into the answer; `cause` is logged and never sent.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly errorsOmitted: number | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly operation: number | undefined;

  constructor(code: ErrorCode, detail: string, options: ApiErrorOptions = {}) {
    super(detail, options);
    this.code = code;
    this.errors = options.errors;
    this.errorsOmitted = options.errorsOmitted;
    this.headers = options.headers;
    this.operation = options.operation;
  }

  /** The same error, of an operation of a batch: its pointers lead into the body of the batch. */
  ofOperation(operation: number): ApiError {
    const { code, message, cause, errorsOmitted, headers } = this;
    const errors = this.errors?.map((error) => ({
      ...error,
      pointer: `/operations/${operation}/body${error.pointer}`,
    }));
    return new ApiError(code, message, {
      cause,
      operation,
      ...(errors && { errors }),
      ...(errorsOmitted !== undefined && { errorsOmitted }),
      ...(headers && { headers }),
    });
  }
}

/** A body that was read but breaks the rules of its resource: all of them, of which a long list shows the first. */
export function invalidBody(errors: readonly FieldError[]): ApiError {
  const { length } = errors;
  return new ApiError('invalid_body', `${length} ${length === 1 ? 'field is' : 'fields are'} not valid.`, {
    errors: errors.slice(0, maxListedErrors),
    ...(length > maxListedErrors && { errorsOmitted: length - maxListedErrors }),
  });
}

export const uriTooLong = (): ApiError =>
  new ApiError('uri_too_long', `The path and query are longer than the limit of ${maxTargetBytes} bytes.`);

export const notFound = (title: string, id: string): ApiError =>
  new ApiError('not_found', `No ${title} has the id ${JSON.stringify(shorten(id))}.`);

/** The service cannot answer now; the client may retry after a second. */
export const unavailable = (detail: string, cause?: unknown): ApiError =>
  new ApiError('unavailable', detail, { headers: { 'Retry-After': '1' }, cause });

/** The service has too much to do now; the client may retry after a few seconds. */
export const overloaded = (detail: string): ApiError =>
  new ApiError('overloaded', `${detail} Try again.`, { headers: { 'Retry-After': '5' } });

/** An error that a command prints as one line, without a stack trace. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** The beginning of a text of a client, to be quoted in a response. */
export const shorten = (text: string, length = 100): string =>
  text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
