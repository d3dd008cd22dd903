/** The meaning of a code for a client. Its texts are also those of its page (`/problems/<code>`); docs/api.md names it. */
export interface CodeRow {
  readonly status: number;
  readonly title: string;
  /** Sentences; code in them is between backticks. */
  readonly meaning: string;
  readonly remedy: string;
}

/** A code of a feature. */
export interface FeatureCode extends CodeRow {
  readonly code: string;
  /** The code that it stands behind in lists; without it, it is the first one of its status. */
  readonly behind?: string;
}

/**
 * Every code a response can carry beside those of features. A retired code stays, commented out, so that it is never given another
 * meaning.
 */
export const errorCodes = {
  bad_request: {
    status: 400,
    title: 'Bad request',
    meaning: 'The request is not valid HTTP/1.1.',
    remedy: 'Correct the request line, the headers or the chunks that the detail names.',
  },
  invalid_query: {
    status: 400,
    title: 'Invalid query',
    meaning: 'A query parameter is unknown, missing, repeated or has a wrong value.',
    remedy: 'Correct the parameters that the detail names.',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    meaning: 'The body is not JSON in UTF-8, repeats a key, or has too many levels or values.',
    remedy: 'Send one JSON object, as RFC 8259 defines it.',
  },
  invalid_header: {
    status: 400,
    title: 'Invalid header',
    meaning: 'A header of the request, like `If-Match`, is malformed or does not belong to it.',
    remedy: 'Correct the header that the detail names.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'There is no such path or id.',
    remedy: 'Check the path and the id. The record may have been deleted.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path has other methods.',
    remedy: 'Use one of the methods in the header `Allow`.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    meaning: 'Nothing of the request arrived for 30 seconds, or not all of it within 5 minutes.',
    remedy: 'Send the request again.',
  },
  wrong_state: {
    status: 409,
    title: 'Wrong state',
    meaning: 'The record is not in a state that the transition starts from.',
    remedy: 'Read the record: it may have been moved already.',
  },
  parent_missing: {
    status: 409,
    title: 'Parent missing',
    meaning: 'The parent that a line item names does not exist.',
    remedy: 'Create the parent first, or name another one.',
  },
  reference_missing: {
    status: 409,
    title: 'Reference missing',
    meaning: 'A field names a record that does not exist.',
    remedy: 'Create that record first, or name another one in the fields that `errors` lists.',
  },
  idx_exhausted: {
    status: 409,
    title: 'Index exhausted',
    meaning: 'The last line item has the largest possible `idx`.',
    remedy: 'Give that item a smaller `idx`, or send one.',
  },
  stale: {
    status: 412,
    title: 'Stale',
    meaning: 'The record has another version than `If-Match` names. Nothing was done.',
    remedy: 'Read the record, and decide again: its ETag is in the response.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    meaning: 'The body, its row in the database or the results of a batch are too large.',
    remedy: 'Send less at once. The detail names the limit.',
  },
  record_too_large: {
    status: 413,
    title: 'Record too large',
    meaning: 'The JSON of the record would have more bytes than its resource allows. Nothing was done.',
    remedy: 'Shorten its texts. The detail names the limit.',
  },
  uri_too_long: {
    status: 414,
    title: 'URI too long',
    meaning: 'The path and the query have over 8 KiB.',
    remedy: 'Send fewer or shorter parameters.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The body is not sent as JSON in UTF-8.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  expectation_failed: {
    status: 417,
    title: 'Expectation failed',
    meaning: 'The request has an expectation other than `100-continue`.',
    remedy: 'Leave the header `Expect` out.',
  },
  invalid_body: {
    status: 422,
    title: 'Invalid body',
    meaning: 'A field is missing, invalid or unknown.',
    remedy: 'Correct the fields that `errors` lists.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request header fields too large',
    meaning: 'The headers have over 16 KiB.',
    remedy: 'Send fewer or shorter headers.',
  },
  clock_out_of_range: {
    status: 500,
    title: 'Clock out of range',
    meaning: 'The clock of the server is past the year 9999. Nothing was done.',
    remedy: 'Whoever runs the server sets its clock.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    meaning: 'The service has a bug.',
    remedy: 'Tell whoever runs the server the `request_id`: the log has it.',
  },
  not_implemented: {
    status: 501,
    title: 'Not implemented',
    meaning: 'The request has a transfer coding other than `chunked`.',
    remedy: 'Send the body with `Content-Length`, or chunked.',
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    meaning: 'The database cannot answer now, or the outcome of a write is unknown.',
    remedy:
      'Wait for the seconds in `Retry-After`. Before you repeat a write that may have been done, read the record.',
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    meaning: 'The server has too much to do now. Nothing was done.',
    remedy: 'Wait for the seconds in `Retry-After`, then send the request again.',
  },
} as const satisfies Readonly<Record<string, CodeRow>>;

export type ErrorCode = keyof typeof errorCodes;

/** The codes of a server with some features, by status. */
export function allCodes(features: readonly { readonly errors?: readonly FeatureCode[] }[]): FeatureCode[] {
  const all: FeatureCode[] = Object.entries(errorCodes).map(([code, row]) => ({ code, ...row }));
  const left = features.flatMap(({ errors = [] }) => errors);
  while (left.length > 0) {
    // One that stands behind another of these follows it.
    const [added] = left.splice(
      left.findIndex(({ behind }) => !left.some(({ code }) => code === behind)),
      1,
    ) as [FeatureCode];
    const named = all.findIndex(({ code }) => code === added.behind);
    const next = all.findIndex(({ status }) => status >= added.status);
    all.splice(named === -1 ? next : named + 1, 0, added);
  }
  return all;
}

/** One error in a body: an RFC 6901 pointer into it, a stable code, and a message for people. */
export interface FieldErrorOf<Code> {
  pointer: string;
  /** A long key in the pointer is shortened, so that it leads nowhere. */
  pointer_shortened?: true;
  code: Code;
  message: string;
}

/** Records of a resource that reference one that was to be deleted. */
export interface ReferencedBy {
  /** As the path has it, like `crm/lead`. */
  readonly resource: string;
  /** Their field that names it. */
  readonly field: string;
  /** Up to ten of their ids. */
  readonly ids: readonly string[];
}

/** The codes of errors in a body, beside those of formats. */
export type CommonFieldErrorCode =
  | 'missing'
  | 'unknown_field'
  | 'wrong_type'
  | 'null_not_allowed'
  | 'read_only'
  | 'immutable'
  | 'invalid_text'
  | 'invalid_decimal'
  | 'too_short'
  | 'too_long'
  | 'too_small'
  | 'too_large'
  | 'pattern_mismatch'
  | 'not_in_enum'
  | 'duplicate'
  | 'not_unique'
  | 'different_parent'
  | 'reference_missing'
  | 'rule_violated'
  | 'refused'
  | 'no_earlier_create';
