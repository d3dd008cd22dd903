import { STATUS_CODES } from 'node:http';
import { errorCodes } from '../../model/error-codes.ts';
import type { FeatureCode } from '../../../runtime/kernel/model/error-codes.ts';
import { maxHeaderBytes, maxEntries, maxTargetBytes } from '../../../runtime/kernel/model/limits.ts';
import { operations } from '../../../runtime/kernel/model/operations.ts';
import type { Resource, Service } from '../../model/model.ts';
import { type FailureStatus, takes } from '../../model/operations.ts';
import { etagExample, shownResource } from './examples.ts';
import { idExample } from '../../model/field-types.ts';
import { jsonContent, type JsonObject, schemaRef } from './reference.ts';

interface ErrorResponse {
  readonly name: string;
  readonly description: string;
  /** The code and the detail of an example; `scope` is one of the service. */
  readonly example: readonly [code: string, detail: string | ((scope: string) => string)];
  readonly headers?: readonly string[];
}

/** The error responses that operations name. */
const errorResponses: Readonly<Record<FailureStatus, ErrorResponse>> = {
  400: {
    name: 'BadRequest',
    description: 'The query, a header, the JSON or the HTTP of the request is not well-formed.',
    example: ['invalid_query', 'The query parameter "limt" is unknown; did you mean "limit"?'],
  },
  401: {
    name: 'Unauthorized',
    description: 'The API key is missing, not valid, revoked or expired.',
    example: ['unauthorized', 'The API key is not valid.'],
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description: 'The API key may not do this: it lacks the scope that the detail names.',
    example: ['insufficient_scope', (scope) => `The API key may not do this: it needs the scope ${scope}.`],
    headers: ['WWW-Authenticate'],
  },
  404: {
    name: 'NotFound',
    description: 'There is no record with this id.',
    example: ['not_found', 'There is no record with this id.'],
  },
  405: {
    name: 'MethodNotAllowed',
    description: 'The path has other methods, listed in Allow.',
    example: ['method_not_allowed', 'The method PUT is not allowed. Allowed methods: GET, HEAD, POST.'],
    headers: ['Allow'],
  },
  409: {
    name: 'Conflict',
    description:
      'The state of the record, another record that is missing or references it, or one with the same values in unique ' +
      'fields does not allow it. Or the first request with the Idempotency-Key is under way for long: try again.',
    example: ['wrong_state', 'The record is not in a state that allows it.'],
    headers: ['Retry-After'],
  },
  410: {
    name: 'Gone',
    description:
      'Events behind `after` or `Last-Event-ID` were removed, as they were too old: the first that is there is `first_number`.',
    example: ['events_removed', 'Events behind number 5 were removed: the first that is there is 24287.'],
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The record has another version than If-Match names: its own is in ETag. Nothing is done.',
    example: ['stale', 'The record was changed: its ETag is "4" now.'],
    headers: ['ETag'],
  },
  413: {
    name: 'ContentTooLarge',
    description: 'The body is too large.',
    example: ['body_too_large', 'The body is larger than the limit of 1048576 bytes.'],
  },
  414: {
    name: 'URITooLong',
    description: `The path and the query have more than ${maxTargetBytes} bytes.`,
    example: ['uri_too_long', `The path and query are longer than the limit of ${maxTargetBytes} bytes.`],
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not sent as JSON in UTF-8.',
    example: ['unsupported_media_type', 'The body must be sent as application/json.'],
  },
  422: {
    name: 'UnprocessableContent',
    description:
      'A field is missing, wrong or unknown, or a rule would be broken, of another record too; `errors` names the first ' +
      `${maxEntries}. Or another request was sent with the Idempotency-Key.`,
    example: ['invalid_body', '1 field is not valid.'],
  },
  429: {
    name: 'TooManyRequests',
    description: 'The API key has made more requests than its rate allows. Try again after the seconds of Retry-After.',
    example: ['rate_limited', 'The API key has made more requests than its rate allows: 600 in 60 s.'],
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  },
  500: {
    name: 'InternalServerError',
    description: 'The server failed; it has logged the request id.',
    example: ['internal', 'The server failed.'],
  },
  503: {
    name: 'ServiceUnavailable',
    description: 'The service cannot respond now. Try again after the seconds of Retry-After.',
    example: ['overloaded', 'The server has too much to do. Try again.'],
    headers: ['Retry-After'],
  },
};

/** Statuses of any request, besides those that its operation lists. */
const otherErrors: readonly string[] = [
  '405 for a method that is not in `Allow`',
  '408 for a request that does not arrive in time',
  '413 for a response that is too large',
  `414 for a path and query of more than ${maxTargetBytes} bytes`,
  '417 for an expectation other than `100-continue`',
  `431 for headers of more than ${maxHeaderBytes} bytes`,
  '501 for a transfer coding other than `chunked`',
];

const otherName = 'OtherError';

/** The response to every delete. */
export const deletedName = 'RecordDeleted';

export const responseRef = (name: string): JsonObject => ({ $ref: `#/components/responses/${name}` });

/** References to the error responses of these statuses, and to that of all others. */
export const failureRefs = (statuses: readonly FailureStatus[]): JsonObject => ({
  ...Object.fromEntries(
    [...new Set(statuses)]
      .toSorted((a, b) => a - b)
      .map((status) => [status, responseRef(errorResponses[status].name)]),
  ),
  default: responseRef(otherName),
});

function problemExample(code: string, detail: string): JsonObject {
  const { status, title } = errorCodes.get(code) as FeatureCode;
  const errors = [{ pointer: '/status', code: 'wrong_type', message: 'must be a string' }];
  const type = `/problems/${code}`;
  return { type, title, status, detail, code, request_id: 'vZvc20QY-2s', ...(code === 'invalid_body' && { errors }) };
}

/** References to headers of responses. */
export const headerRefs = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const problem = (code: string, detail: string): JsonObject => ({
  'application/problem+json': { schema: schemaRef('Problem'), example: problemExample(code, detail) },
});

/** The response to a write that is not valid, or that hooks refuse with these codes. */
export function refusedResponse(codes: Readonly<Record<string, string>>): JsonObject {
  const { description } = errorResponses[422];
  const meanings = Object.entries(codes).map(([code, meaning]) => `\`${code}\`: ${meaning}`);
  const [[code, detail] = ['', '']] = Object.entries(codes);
  const example = { ...problemExample('refused', detail), type: `/problems/${code}`, code };
  return {
    description: `${STATUS_CODES[422]}. ${description} Or it is refused with a code of its own: ${meanings.join(' ')}`,
    content: { 'application/problem+json': { schema: schemaRef('Problem'), example } },
  };
}

/** The scope of an operation of a resource: of a create, where it has one. */
function scopeOf(resource: Resource): string {
  const isRead = !takes(resource, 'create') && resource.operations.some((name) => operations[name].action === 'read');
  return `${resource.key}:${isRead ? 'read' : 'write'}`;
}

/** The responses that operations refer to by their names: all errors, and that of a read which finds nothing new. */
export function sharedResponses(service: Service): JsonObject {
  const resource = shownResource(service.resources);
  const scope = resource ? scopeOf(resource) : '*';
  const exampleOf = ({ example: [code, detail] }: ErrorResponse): JsonObject =>
    problem(code, typeof detail === 'string' ? detail : detail(scope));
  const named = Object.entries(errorResponses).map(([status, response]) => {
    const { name, description, headers = [] } = response;
    const responseObject = {
      description: `${STATUS_CODES[status]}. ${description}`,
      ...(headers.length > 0 && { headers: headerRefs(headers) }),
      content: exampleOf(response),
    };
    return [name, responseObject];
  });
  const other = {
    description: `Any other error: ${otherErrors.join(', ')}.`,
    headers: headerRefs(['Allow']),
    content: exampleOf(errorResponses[405]),
  };
  const notModified = {
    description: `${STATUS_CODES[304]}. The record has an ETag of If-None-Match.`,
    headers: headerRefs(['ETag']),
  };
  const deleted = {
    description: 'The record is gone.',
    headers: headerRefs(['Idempotency-Replayed']),
    content: jsonContent(schemaRef('Deleted')),
  };
  return {
    NotModified: notModified,
    [deletedName]: deleted,
    ...(Object.fromEntries(named) as JsonObject),
    [otherName]: other,
  };
}

/** The headers of responses. */
export function responseHeaders(service: Service): JsonObject {
  const resource = shownResource(service.resources);
  return {
    Location: {
      description: 'The path of the new record.',
      schema: { type: 'string', format: 'uri-reference' },
      ...(resource && { example: `${resource.path}/${idExample(resource.name)}` }),
    },
    ETag: {
      description: 'The version of the record: each change of it makes another one.',
      schema: { type: 'string' },
      example: etagExample,
    },
    'Idempotency-Replayed': {
      description: 'The response is that to an earlier request with the same Idempotency-Key: nothing was done now.',
      schema: { type: 'string', const: 'true' },
      example: 'true',
    },
    'WWW-Authenticate': {
      description: 'How to authenticate (RFC 6750).',
      schema: { type: 'string' },
      example: `Bearer realm="${service.name}", error="invalid_token"`,
    },
    Allow: { description: 'The methods of the path.', schema: { type: 'string' }, example: 'GET, HEAD, POST' },
    'Retry-After': { description: 'Seconds.', schema: { type: 'integer', minimum: 0 }, example: 1 },
    RateLimit: {
      description: 'How many requests are left (`r`), and in how many seconds there is at least one more (`t`).',
      schema: { type: 'string' },
      example: '"default";r=0;t=1',
    },
    'RateLimit-Policy': {
      description: 'How many requests (`q`) the API key has in so many seconds (`w`).',
      schema: { type: 'string' },
      example: '"default";q=600;w=60',
    },
  };
}
