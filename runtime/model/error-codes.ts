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
export interface FieldErrorOf<Code> {
  pointer: string;
  /** A long key in the pointer is shortened, so that it leads nowhere. */
  pointer_shortened?: true;
  code: Code;
  message: string;
}

/** The codes of errors in a body, beside those of formats. */
export type CommonFieldErrorCode =
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
  | 'duplicate'
  | 'different_parent'
  | 'no_earlier_create';
