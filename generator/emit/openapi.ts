import { STATUS_CODES } from 'node:http';
import { errorCodes } from '../../runtime/errors.ts';
import { defaultListLimit, maxListLimit, maxReorderItems, maxTextLength } from '../../runtime/limits.ts';
import type { Operation } from '../language.ts';
import type { Field, FieldType, Resource, Service, Transition } from '../model.ts';
import { capitalize, pascalCase } from '../names.ts';
import { identifiers } from './identifiers.ts';
import { type Json, printJson } from './json.ts';
import { type FailureStatus, sharedStatuses, type Statuses, statusesOf, transitionStatuses } from './statuses.ts';

type JsonObject = { readonly [key: string]: Json };

const schemaRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const parameterRef = (name: string): JsonObject => ({ $ref: `#/components/parameters/${name}` });
const jsonContent = (schema: Json): JsonObject => ({ 'application/json': { schema } });

type TypeOf<T extends FieldType['type']> = Extract<FieldType, { type: T }>;

/** The JSON Schema of each type. A new type does not compile until it has a row here. */
const schemaOf: { [T in FieldType['type']]: (type: TypeOf<T>) => JsonObject } = {
  text: ({ minLength, maxLength, pattern }) => ({
    type: 'string',
    ...(minLength !== undefined && { minLength }),
    maxLength: maxLength ?? maxTextLength,
    ...(pattern !== undefined && { pattern }),
  }),
  date: () => ({ type: 'string', format: 'date' }),
  'date-time': () => ({ type: 'string', format: 'date-time' }),
  enum: ({ values }) => ({ type: 'string', enum: values }),
  integer: ({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }) => ({
    type: 'integer',
    minimum: min,
    maximum: max,
  }),
  number: ({ min, max }) => ({
    type: 'number',
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
  }),
  boolean: () => ({ type: 'boolean' }),
};

function fieldSchema(field: Field, nullable: boolean): JsonObject {
  const schema = (schemaOf[field.type] as (type: FieldType) => JsonObject)(field);
  const widened = {
    ...schema,
    ...(nullable && { type: [schema.type as string, 'null'] }),
    ...(nullable && field.type === 'enum' && { enum: [...field.values, null] }),
  };
  return { ...widened, ...(field.doc !== undefined && { description: field.doc }) };
}

const given = {
  id: { type: 'string', readOnly: true, description: 'Set by the service.' },
  created_at: { type: 'string', format: 'date-time', readOnly: true, description: 'When the record was created.' },
  updated_at: { type: 'string', format: 'date-time', readOnly: true, description: 'When the record last changed.' },
} as const;

const idx = schemaOf.integer({ type: 'integer', min: undefined, max: undefined } as TypeOf<'integer'>);

const closed = (properties: JsonObject, required: readonly string[], doc?: string): JsonObject => ({
  type: 'object',
  ...(doc !== undefined && { description: doc }),
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

/** The schemas of a resource: its record, and the bodies and the list that go with its operations. */
function resourceSchemas(resource: Resource): JsonObject {
  const { kind, fields, operations, doc } = resource;
  const { type, create, update } = identifiers(resource);
  const isItem = kind === 'line-item';
  const timestamps = isItem ? {} : { created_at: given.created_at, updated_at: given.updated_at };

  const record: Record<string, Json> = { id: given.id, ...(isItem && { idx }) };
  const created: Record<string, Json> = isItem
    ? { idx: { ...idx, description: 'One after the largest of the parent, where it is absent.' } }
    : {};
  // What an update sends back must be what is stored.
  const updated: Record<string, Json> = { ...record };
  for (const field of fields) {
    const isNullable = field.nullable || kind === 'singleton';
    record[field.name] = { ...fieldSchema(field, isNullable), ...(field.readOnly && { readOnly: true }) };
    updated[field.name] = fieldSchema(field, field.nullable);
    if (field.readOnly) continue;
    created[field.name] = {
      ...fieldSchema(field, field.nullable),
      ...(field.default !== null && { default: field.default }),
    };
  }
  Object.assign(record, timestamps);
  Object.assign(updated, timestamps);

  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const list = {
    data: { type: 'array', items: schemaRef(type) },
    has_more: { type: 'boolean', description: 'Whether there are records after these.' },
    total: { type: 'integer', minimum: 0, description: 'How many records there are on all pages.' },
  };
  return {
    [type]: closed(record, Object.keys(record), doc),
    ...(operations.includes('create') && { [create]: closed(created, required) }),
    ...(operations.includes('update') && { [update]: closed(updated, []) }),
    ...(operations.includes('list') && { [`${type}List`]: closed(list, Object.keys(list)) }),
  };
}

const responseNames: Readonly<Record<FailureStatus, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  404: 'NotFound',
  409: 'Conflict',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

const responseDocs: Readonly<Record<FailureStatus, string>> = {
  400: 'The query, the JSON or the HTTP of the request is not well-formed.',
  401: 'The API key is missing or not valid.',
  404: 'There is no record with this id.',
  409: 'The state of the record, or a parent that does not exist, does not allow it.',
  413: 'The body is too large.',
  415: 'The body is not sent as JSON in UTF-8.',
  422: 'A field is missing, wrong or unknown; `errors` names every one.',
  500: 'The server failed; it has logged the request id.',
  503: 'The database cannot answer now. Try again after the seconds of Retry-After.',
};

function answers({ success, failures }: Statuses, doc: string, schema: Json): JsonObject {
  const all: Record<string, Json> = {
    [success]: {
      description: doc,
      ...(success === 201 && { headers: { Location: { $ref: '#/components/headers/Location' } } }),
      content: jsonContent(schema),
    },
  };
  for (const status of [...failures, ...sharedStatuses].toSorted((a, b) => a - b)) {
    all[status] = { $ref: `#/components/responses/${responseNames[status]}` };
  }
  return all;
}

const body = (schema: string, mediaTypes: readonly string[]): JsonObject => ({
  required: true,
  content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: schemaRef(schema) }])),
});

interface Endpoint {
  readonly path: string;
  readonly method: string;
  readonly operation: JsonObject;
}

function operationEndpoint(resource: Resource, operation: Operation): Endpoint {
  const { path, title, plural, kind } = resource;
  const { type, create, update } = identifiers(resource);
  const isItem = kind === 'line-item';
  const statuses = statusesOf(resource, operation);
  const base = { operationId: `${operation}${type}`, tags: [capitalize(title)] };
  const one = (method: string, summary: string, rest: JsonObject): Endpoint => ({
    path: `${path}/{id}`,
    method,
    operation: { ...base, summary, parameters: [parameterRef('Id')], ...rest },
  });
  switch (operation) {
    case 'list': {
      const parameters = [...(isItem ? ['ParentId'] : []), 'Limit', 'Offset'].map(parameterRef);
      const summary = isItem ? `List ${plural} of a parent` : `List ${plural}`;
      const order = isItem ? 'By idx, then in the order of creation.' : 'The newest first.';
      const responses = answers(statuses, 'A page of the list.', schemaRef(`${type}List`));
      return { path, method: 'get', operation: { ...base, summary, description: order, parameters, responses } };
    }
    case 'create': {
      const responses = answers(statuses, 'The new record.', schemaRef(type));
      const requestBody = body(create, ['application/json']);
      return { path, method: 'post', operation: { ...base, summary: `Create ${title}`, requestBody, responses } };
    }
    case 'retrieve': {
      const responses = answers(statuses, 'The record.', schemaRef(type));
      const summary = `Retrieve ${title}`;
      if (kind === 'singleton') return { path, method: 'get', operation: { ...base, summary, responses } };
      return one('get', summary, { responses });
    }
    case 'update':
      return one('patch', `Update ${title}`, {
        description: 'Fields that are not sent stay as they are.',
        requestBody: body(update, ['application/json', 'application/merge-patch+json']),
        responses: answers(statuses, 'The record as it is now.', schemaRef(type)),
      });
    case 'delete':
      return one('delete', `Delete ${title}`, {
        description: kind === 'record' ? 'For good, together with its line items.' : 'For good.',
        responses: answers(statuses, 'The record is gone.', schemaRef('Deleted')),
      });
    case 'reorder': {
      const responses = answers(statuses, "The parent's list in its new order.", schemaRef(`${type}List`));
      const requestBody = body('Reorder', ['application/json']);
      const description =
        'All of the named items get their new idx, or none does. Items that are not named keep theirs.';
      const summary = `Reorder ${plural}`;
      return {
        path: `${path}/reorder`,
        method: 'post',
        operation: { ...base, summary, description, requestBody, responses },
      };
    }
  }
}

function transitionEndpoint(resource: Resource, { name, field, from, to }: Transition): Endpoint {
  const { type } = identifiers(resource);
  return {
    path: `${resource.path}/{id}/${name}`,
    method: 'post',
    operation: {
      operationId: `${pascalCase(name).charAt(0).toLowerCase()}${pascalCase(name).slice(1)}${type}`,
      tags: [capitalize(resource.title)],
      summary: `${capitalize(name.replaceAll('-', ' '))} ${resource.title}`,
      description: `Moves \`${field}\` from ${from.map((state) => `\`${state}\``).join(' or ')} to \`${to}\`.`,
      parameters: [parameterRef('Id')],
      responses: answers(transitionStatuses, 'The record as it is now.', schemaRef(type)),
    },
  };
}

function paths(service: Service): JsonObject {
  const all: Record<string, Record<string, Json>> = {};
  for (const resource of service.resources) {
    const endpoints = [
      ...resource.operations.map((operation) => operationEndpoint(resource, operation)),
      ...resource.transitions.map((transition) => transitionEndpoint(resource, transition)),
    ];
    for (const { path, method, operation } of endpoints) (all[path] ??= {})[method] = operation;
  }
  return all;
}

const sharedSchemas = {
  Problem: {
    type: 'object',
    description: 'Why a request was not done (RFC 9457).',
    properties: {
      type: { type: 'string', format: 'uri-reference', description: '`/problems/<code>`' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string', description: 'For a person; its words may change.' },
      code: { type: 'string', enum: Object.keys(errorCodes), description: 'For a program; it stays.' },
      request_id: { type: 'string', description: 'Tells this request apart from all others.' },
      errors: { type: 'array', items: schemaRef('FieldError') },
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  },
  FieldError: {
    type: 'object',
    description: 'One thing that is wrong with a body.',
    properties: {
      pointer: { type: 'string', format: 'json-pointer', description: 'Where in the body (RFC 6901).' },
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
} as const satisfies JsonObject;

/** The names of the document's schemas that belong to no resource. */
export const sharedSchemaNames: readonly string[] = Object.keys(sharedSchemas);

const parameters = {
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
} as const satisfies JsonObject;

function failureResponses(): JsonObject {
  const problem = { 'application/problem+json': { schema: schemaRef('Problem') } };
  const headers: Readonly<Record<number, JsonObject>> = {
    401: { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } },
    503: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
  };
  return Object.fromEntries(
    Object.entries(responseNames).map(([status, name]) => [
      name,
      {
        description: `${STATUS_CODES[status]}. ${responseDocs[Number(status) as FailureStatus]}`,
        ...(headers[Number(status)] && { headers: headers[Number(status)] as JsonObject }),
        content: problem,
      },
    ]),
  );
}

const responseHeaders = {
  Location: { description: 'The path of the new record.', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'How to authenticate (RFC 6750).', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } },
} as const;

/** `openapi.json`: an OpenAPI 3.1 document of every operation, body, answer and error. */
export function emitOpenApi(service: Service): string {
  const document = {
    openapi: '3.1.1',
    info: {
      title: service.title,
      version: service.version,
      description: service.doc,
      license: { name: service.license, identifier: service.license },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: service.resources.map(({ title, doc }) => ({ name: capitalize(title), description: doc })),
    paths: paths(service),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key.' } },
      parameters,
      headers: responseHeaders,
      responses: failureResponses(),
      schemas: { ...Object.assign({}, ...service.resources.map(resourceSchemas)), ...sharedSchemas },
    },
  };
  return `${printJson(document)}\n`;
}
