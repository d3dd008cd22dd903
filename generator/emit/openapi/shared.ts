import { STATUS_CODES } from 'node:http';
import { type ErrorCode, errorCodes } from '../../../runtime/errors.ts';
import {
  defaultListLimit,
  maxBatchOperations,
  maxListedErrors,
  maxListLimit,
  maxReorderItems,
} from '../../../runtime/limits.ts';
import { basePath } from '../../model.ts';
import type { sharedSchemaNames } from '../../names.ts';
import type { FailureStatus } from '../../operations.ts';
import { closed, idx, type JsonObject, schemaRef } from './reference.ts';

/** The error responses, as their names and descriptions. */
export const errorResponses: Readonly<Record<FailureStatus, readonly [name: string, description: string]>> = {
  400: ['BadRequest', 'The query, the JSON or the HTTP of the request is not well-formed.'],
  401: ['Unauthorized', 'The API key is missing or not valid.'],
  404: ['NotFound', 'There is no record with this id.'],
  405: ['MethodNotAllowed', 'The path has other methods, listed in Allow.'],
  409: ['Conflict', 'The state of the record, or a parent that does not exist, does not allow it.'],
  413: ['ContentTooLarge', 'The body is too large.'],
  414: ['URITooLong', 'A path is too long.'],
  415: ['UnsupportedMediaType', 'The body is not sent as JSON in UTF-8.'],
  422: ['UnprocessableContent', `A field is missing, wrong or unknown; \`errors\` names the first ${maxListedErrors}.`],
  500: ['InternalServerError', 'The server failed; it has logged the request id.'],
  503: ['ServiceUnavailable', 'The service cannot answer now. Try again after the seconds of Retry-After.'],
};

/** Codes of answers that depend on the API key alone, which the document does not describe. */
const codesOfKeys: readonly string[] = ['insufficient_scope', 'rate_limited'] satisfies ErrorCode[];

const codes = Object.keys(errorCodes).filter((code) => !codesOfKeys.includes(code));

/** The schemas that belong to no resource. */
export const sharedSchemas = {
  Problem: {
    type: 'object',
    description: 'Why a request was not done (RFC 9457).',
    properties: {
      type: { type: 'string', format: 'uri-reference', description: '`/problems/<code>`' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string', description: 'For a person; its words may change.' },
      code: { type: 'string', enum: codes, description: 'For a program; it stays.' },
      request_id: { type: 'string', description: 'Tells this request apart from all others.' },
      operation: { type: 'integer', minimum: 0, description: 'The place of the operation of a batch that failed.' },
      errors: { type: 'array', maxItems: maxListedErrors, items: schemaRef('FieldError') },
      errors_omitted: { type: 'integer', minimum: 1, description: 'How many errors there are beside `errors`.' },
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  },
  FieldError: {
    type: 'object',
    description: 'One thing that is wrong with a body.',
    properties: {
      pointer: { type: 'string', format: 'json-pointer', description: 'Where in the body (RFC 6901).' },
      pointer_shortened: {
        type: 'boolean',
        const: true,
        description: 'The pointer holds only the beginning of a long key, and leads nowhere.',
      },
      code: { type: 'string' },
      message: { type: 'string' },
    },
    required: ['pointer', 'code', 'message'],
  },
  Deleted: closed({ id: { type: 'string' }, deleted: { type: 'boolean', const: true } }, ['id', 'deleted']),
  Reorder: closed(
    {
      items: {
        type: 'array',
        minItems: 1,
        maxItems: maxReorderItems,
        items: closed({ id: { type: 'string' }, idx }, ['id', 'idx']),
      },
    },
    ['items'],
  ),
  BatchOperations: closed(
    {
      operations: {
        type: 'array',
        minItems: 1,
        maxItems: maxBatchOperations,
        items: closed(
          {
            method: { type: 'string', enum: ['POST', 'PATCH', 'DELETE'] },
            path: {
              type: 'string',
              description: 'As in a request of its own.',
              examples: [`${basePath}/…/{result:0}`],
            },
            body: { type: 'object', description: 'As in a request of its own.' },
          },
          ['method', 'path'],
        ),
      },
    },
    ['operations'],
  ),
  BatchResults: closed(
    {
      results: {
        type: 'array',
        minItems: 1,
        maxItems: maxBatchOperations,
        items: closed(
          {
            status: { type: 'integer', enum: [200, 201] },
            body: { type: 'object', description: 'The answer to a request of its own.' },
          },
          ['status', 'body'],
        ),
      },
    },
    ['results'],
  ),
} as const satisfies Readonly<Record<(typeof sharedSchemaNames)[number], JsonObject>>;

/** The parameters of all resources. */
export const parameters = {
  Id: { name: 'id', in: 'path', required: true, description: 'The id of the record.', schema: { type: 'string' } },
  ParentId: {
    name: 'parent_id',
    in: 'query',
    required: true,
    description: 'The id of the parent whose items are listed.',
    schema: { type: 'string' },
  },
  Limit: {
    name: 'limit',
    in: 'query',
    description: 'The most records to answer.',
    schema: { type: 'integer', minimum: 1, maximum: maxListLimit, default: defaultListLimit },
  },
  Offset: {
    name: 'offset',
    in: 'query',
    description: 'How many records to skip.',
    schema: { type: 'integer', minimum: 0, default: 0 },
  },
  After: {
    name: 'after',
    in: 'query',
    description:
      'The id of the last record of the page before: this page begins behind it, at the same cost however far that is, ' +
      'and nothing is skipped or repeated where records come and go meanwhile. A record may have been deleted since; a ' +
      'line item must still be one of this parent. Not together with an `offset` other than 0.',
    schema: { type: 'string' },
  },
} as const satisfies JsonObject;

/** The error responses, by the names that operations refer to. */
export function failureResponses(): JsonObject {
  const problem = { 'application/problem+json': { schema: schemaRef('Problem') } };
  const headers: Readonly<Record<string, JsonObject>> = {
    401: { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } },
    405: { Allow: { $ref: '#/components/headers/Allow' } },
    503: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
  };
  return Object.fromEntries(
    Object.entries(errorResponses).map(([status, [name, description]]) => [
      name,
      {
        description: `${STATUS_CODES[status]}. ${description}`,
        ...(headers[status] && { headers: headers[status] }),
        content: problem,
      },
    ]),
  );
}

/** The headers of all answers. */
export const responseHeaders = {
  Location: { description: 'The path of the new record.', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'How to authenticate (RFC 6750).', schema: { type: 'string' } },
  Allow: { description: 'The methods of the path.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } },
} as const;
