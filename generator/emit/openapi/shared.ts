import { errorCodes } from '../../model/error-codes.ts';
import {
  defaultListLimit,
  maxBatchOperations,
  maxEntries,
  maxListLimit,
  maxNamed,
} from '../../../runtime/kernel/model/limits.ts';
import { ownCodes } from '../../model/hooks.ts';
import type { Resource } from '../../model/model.ts';
import type { sharedSchemaNames } from '../../model/names.ts';
import { eachOnItsLine } from '../json.ts';
import { etagExample, timestampExample } from './examples.ts';
import { anyObject, closed, filterList, idx, type JsonObject, open, plainText, schemaRef } from './reference.ts';

/** The ETags of a condition. */
const tags = { type: 'string', pattern: String.raw`^(?:\*|(?:W/)?"[!#-~]*"(?:, *(?:W/)?"[!#-~]*")*)$` } as const;

/** The number of an event. */
export const eventNumber = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;

/** The schemas that belong to no resource. */
export const sharedSchemas = {
  Problem: {
    type: 'object',
    description: 'Why a request was not done (RFC 9457).',
    properties: {
      type: { type: 'string', format: 'uri-reference', description: '`/problems/<code>`' },
      title: { type: 'string', description: 'The code in words.' },
      status: { type: 'integer', description: 'The status of the response.' },
      detail: { type: 'string', description: 'For a person; its words may change.' },
      code: {
        type: 'string',
        enum: [...errorCodes.keys()].filter((code) => code !== 'refused'),
        description: 'For a program; it stays.',
      },
      request_id: { type: 'string', description: 'Tells this request apart from all others.' },
      operation: { type: 'integer', minimum: 0, description: 'The place of the operation of a batch that failed.' },
      errors: {
        type: 'array',
        maxItems: maxEntries,
        items: schemaRef('FieldError'),
        description: 'Everything that is wrong with the body.',
      },
      referenced_by: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            resource: { type: 'string', description: '`<area>/<resource>`' },
            field: { type: 'string', description: 'The field with the references.' },
            ids: { type: 'array', maxItems: maxNamed, items: { type: 'string' }, description: 'Some of the records.' },
          },
          required: ['resource', 'field', 'ids'],
        },
        description: 'The records that reference the one which cannot be deleted.',
      },
      first_number: { type: 'integer', minimum: 1, description: 'The number of the first event that was not removed.' },
      errors_omitted: { type: 'integer', minimum: 1, description: 'How many errors there are beside `errors`.' },
      conflicting_id: {
        type: 'string',
        description: 'The record that has the same values in unique fields, if the key may read it.',
      },
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
      code: { type: 'string', description: 'For a program; it stays.', examples: ['missing'] },
      message: { type: 'string', description: 'For a person; it follows the name of the field.' },
    },
    required: ['pointer', 'code', 'message'],
  },
  Deleted: open(
    {
      id: { type: 'string', description: 'The id of the record that was deleted.' },
      deleted: { type: 'boolean', const: true },
    },
    ['id', 'deleted'],
    'The id of a deleted record.',
  ),
  Reorder: closed(
    {
      items: {
        type: 'array',
        minItems: 1,
        maxItems: maxListLimit,
        items: closed({ id: plainText, idx }, ['id', 'idx'], 'An item and its new place.'),
        description: 'Items of one parent, each once; else it is refused with 422. An id that does not exist is a 404.',
      },
    },
    ['items'],
    'A new order of line items.',
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
              description: 'As in a request of its own. `{result:0}` as a segment is the id that operation 0 creates.',
            },
            body: {
              ...anyObject,
              description:
                'As in a request of its own. `{"result": 0}` in place of a string is the id that operation 0 creates.',
            },
            if_match: { ...tags, description: 'The header If-Match of a request of its own.', examples: [etagExample] },
          },
          ['method', 'path'],
          'A write of this API.',
        ),
        description: 'The writes, in the order in which they are done.',
      },
    },
    ['operations'],
    'Several writes.',
  ),
  BatchResults: open(
    {
      results: {
        type: 'array',
        minItems: 1,
        maxItems: maxBatchOperations,
        items: open(
          {
            status: { type: 'integer', enum: [200, 201] },
            etag: { type: 'string', description: 'The header ETag of a request of its own.', examples: [etagExample] },
            body: { ...anyObject, description: 'The response to a request of its own.' },
          },
          ['status', 'body'],
          'The response to one operation.',
        ),
        description: 'The responses, in the order of the operations.',
      },
    },
    ['results'],
    'The responses to several writes.',
  ),
  EventList: open(
    {
      data: { type: 'array', items: schemaRef('Event') },
      has_more: { type: 'boolean', description: 'Whether events follow this page.' },
    },
    ['data', 'has_more'],
    'A page of events.',
  ),
  Event: open(
    {
      number: { type: 'integer', minimum: 1, description: 'Rises by one within an organization.' },
      time: { type: 'string', format: 'date-time', examples: [timestampExample] },
      actor: { type: ['string', 'null'], description: 'The id of the API key.' },
      request_id: { type: ['string', 'null'], description: 'The `X-Request-Id` of the response.' },
      operation: { type: 'string', description: 'create, update, delete, reorder, or the name of a transition.' },
      resource: { type: 'string', description: '`<area>/<resource>`' },
      record: { type: 'string', description: 'The id of the record.' },
      version: { type: 'integer', minimum: 1, description: 'That of the record after the write, as its ETag has it.' },
      changes: eachOnItsLine({
        type: 'object',
        additionalProperties: { type: 'array', items: {}, minItems: 2, maxItems: 2 },
        description: 'By field, the values before the write and after it.',
      }),
    },
    ['number', 'time', 'actor', 'request_id', 'operation', 'resource', 'record', 'version', 'changes'],
    'What a write did to a record.',
  ),
  CurrentKey: open(
    {
      name: { type: 'string', description: 'The name that it was made with.', examples: ['warehouse'] },
      actor: { type: 'string', description: 'The actor of its events.', examples: ['key_01M80TS8N5'] },
      organization: {
        type: 'string',
        description: 'The organization whose records it reads and writes.',
        examples: ['main'],
      },
      scopes: {
        type: 'array',
        items: { type: 'string' },
        description: 'All that it may do: `*` is everything, `<area>:read` to read the resources of an area.',
        examples: [['*']],
      },
      expires_at: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'When it expires; null for never.',
        examples: [timestampExample],
      },
    },
    ['name', 'actor', 'organization', 'scopes', 'expires_at'],
    'The API key of a request.',
  ),
} as const satisfies Readonly<Record<(typeof sharedSchemaNames)[number], JsonObject>>;

/** The schemas of values that belong to no resource. */
export const sharedValues = {
  text: plainText,
  texts: {
    ...filterList({ type: 'string', pattern: String.raw`^(?:[^,\\\x00]|\\[,\\])*$` }),
    description: 'Texts with commas between them. A comma in a text is written `\\,`, and a backslash `\\\\`.',
  },
} as const satisfies JsonObject;

/** The schema of problems, with the codes of the service's own hooks. */
export function problemSchema(resources: readonly Resource[]): JsonObject {
  const { Problem } = sharedSchemas;
  const code = { ...Problem.properties.code, enum: [...Problem.properties.code.enum, ...ownCodes(resources)] };
  return { ...Problem, properties: { ...Problem.properties, code } };
}

/** The parameters that several resources share. */
export const parameters = {
  Limit: {
    name: 'limit',
    in: 'query',
    description: 'The most records in the response.',
    schema: { type: 'integer', minimum: 1, maximum: maxListLimit, default: defaultListLimit },
    example: defaultListLimit,
  },
  Offset: {
    name: 'offset',
    in: 'query',
    description: 'How many records to skip. With `after`, only 0.',
    schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
    example: 0,
  },
  EventNumber: {
    name: 'number',
    in: 'path',
    required: true,
    description: 'The number of the event.',
    schema: eventNumber,
    example: 1,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Within 24 hours, the same request with the same key is done once: another gets the response of the first.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    // A variable of Postman and its like, which send a new value with each request. They would send any other example as it is.
    example: '{{$guid}}',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'ETags of the record, one of which it must still have: otherwise nothing is done, and the response is 412. `*` is any.',
    schema: tags,
    example: '*',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETags of the record: if it has one of them, the response is 304, without the record.',
    schema: tags,
    example: etagExample,
  },
} as const satisfies JsonObject;
