import {
  type CommonFieldErrorCode,
  type ErrorCode,
  errorCodes,
  type FeatureCode,
  type FieldErrorOf,
  type ReferencedBy,
} from './error-codes.ts';
import { exitCodes } from './exit-codes.ts';
import { maxEntries, maxTargetBytes } from './limits.ts';
import type { FormatErrorCode } from './formats.ts';
import { quoted } from './text.ts';

export type { ErrorCode, ReferencedBy } from './error-codes.ts';

export type FieldErrorCode = CommonFieldErrorCode | FormatErrorCode;

export type FieldError = FieldErrorOf<FieldErrorCode>;

/** Members that some problems have beside the usual ones (RFC 9457, 3.2). */
interface Extensions {
  /** The code of a refusal by a hook, in place of `refused`. */
  readonly code?: string;
  /** The place of the operation of a batch that it is about. */
  readonly operation?: number;
  readonly errors?: readonly FieldError[];
  /** How many errors there are beside `errors`. */
  readonly errors_omitted?: number;
  /** The id of the record that prevents a write. */
  readonly conflicting_id?: string;
  readonly referenced_by?: readonly ReferencedBy[];
  /** The number of the first event that is there. */
  readonly first_number?: number;
}

interface ApiErrorOptions extends ErrorOptions, Extensions {
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An error the client may see, sent as a problem (RFC 9457). Clients match on `code`; `detail` may be reworded.
 * `headers` go into the response; `cause` is logged and never sent.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Its code with what that means. */
  readonly row: FeatureCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly extensions: Extensions;

  constructor(
    code: ErrorCode | FeatureCode,
    detail: string,
    { cause, headers = {}, ...extensions }: ApiErrorOptions = {},
  ) {
    super(detail, { cause });
    this.row = typeof code === 'string' ? { code, ...errorCodes[code] } : code;
    this.headers = headers;
    this.extensions = extensions;
  }

  get code(): string {
    return this.row.code;
  }

  get status(): number {
    return this.row.status;
  }

  /** This error, of an operation of a batch: its pointers lead into the body of the batch. */
  ofOperation(operation: number): ApiError {
    return this.#moved((pointer) => `/operations/${operation}/body${pointer}`, { operation });
  }

  /** This error, of a body in which fields of the record have these names. */
  ofBody(names: Readonly<Record<string, string>>): ApiError {
    return this.#moved((pointer) => (pointer === '' ? '' : `/${names[pointer.slice(1)] ?? pointer.slice(1)}`));
  }

  #moved(pointerOf: (pointer: string) => string, more: Extensions = {}): ApiError {
    const { row, message, cause, headers, extensions } = this;
    const errors = extensions.errors?.map((error) => ({ ...error, pointer: pointerOf(error.pointer) }));
    return new ApiError(row, message, { cause, headers, ...more, ...extensions, ...(errors && { errors }) });
  }
}

/** A body that was read but breaks the rules of its resource: all of them, of which a long list shows the first. */
export function invalidBody(errors: readonly FieldError[]): ApiError {
  const { length } = errors;
  return new ApiError(
    'invalid_body',
    `${length} ${length === 1 ? 'field is' : 'fields are'} not valid.`,
    listed(errors),
  );
}

export const invalidFields = (paths: readonly string[], code: FieldErrorCode, message: string): ApiError =>
  invalidBody(paths.map((path) => ({ pointer: `/${path}`, code, message })));

/** All errors of a body, of which a long list shows the first. */
export const listed = (errors: readonly FieldError[]): Pick<Extensions, 'errors' | 'errors_omitted'> => ({
  errors: errors.slice(0, maxEntries),
  ...(errors.length > maxEntries && { errors_omitted: errors.length - maxEntries }),
});

export const uriTooLong = (): ApiError =>
  new ApiError('uri_too_long', `The path and query are longer than the limit of ${maxTargetBytes} bytes.`);

export const notFound = (title: string, id: string): ApiError =>
  new ApiError('not_found', `No ${title} has the id ${quoted(id)}.`);

/** The service cannot respond now; the client may retry after a second. */
export const unavailable = (detail: string, cause?: unknown): ApiError =>
  new ApiError('unavailable', detail, { headers: { 'Retry-After': '1' }, cause });

/** The service has too much to do now; the client may retry after a few seconds. */
export const overloaded = (detail: string): ApiError =>
  new ApiError('overloaded', `${detail} Try again.`, { headers: { 'Retry-After': '5' } });

/** An error that a command prints as its message, without a stack trace. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number = exitCodes.failed;
}

/** The arguments of a command are wrong, whatever the files, the database and the server hold: nothing was done. */
export class UsageError extends CliError {
  override readonly exitCode = exitCodes.wrongArguments;
}
