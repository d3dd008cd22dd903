import { refusalsOf } from '../../model/hooks.ts';
import type { Hooks, Move, Resource } from '../../model/model.ts';
import { type BodyName, mediaTypes, type Operation } from '../../../runtime/kernel/model/operations.ts';
import {
  type Endpoint,
  endpointsOf,
  isList,
  isRetrieve,
  operationIdOf,
  sharedStatuses,
} from '../../model/operations.ts';
import { identifiers } from '../identifiers.ts';
import type { Json } from '../json.ts';
import { countOperation } from './counts.ts';
import { tagOf } from './info.ts';
import { filterOperators } from './filters.ts';
import { listParameters, parameterName, partNames, sortNames } from './list-parameters.ts';
import { jsonContent, type JsonObject, parameterRef, schemaRef } from './reference.ts';
import { deletedName, failureRefs, headerRefs, refusedResponse, responseRef } from './errors.ts';
import { createExample, reorderExample, updateExample } from './examples.ts';
import { bodySchema, createSchema } from './schemas.ts';

type Names = ReturnType<typeof identifiers>;

const responseSchemas: Readonly<Record<Exclude<Operation['response'], 'deleted'>, (names: Names) => string>> = {
  record: ({ type }) => type,
  list: ({ type }) => `${type}List`,
};

/**
 * The schema of each body, and an example. The schema of a create is in its operation: a client of openapi-typescript then
 * takes fields with a default for optional.
 */
const bodySchemas: Readonly<
  Record<BodyName, (resource: Resource, names: Names, endpoint: Endpoint) => { schema: JsonObject; example: Json }>
> = {
  create: (resource) => ({ schema: createSchema(resource), example: createExample(resource) }),
  update: (resource, { bodies }) => ({ schema: schemaRef(bodies.update), example: updateExample(resource) }),
  reorder: (resource, { bodies }) => ({ schema: schemaRef(bodies.reorder), example: reorderExample(resource) }),
  input: (resource, _, { transition }) => {
    const body = { ...resource, fields: transition?.input ?? [] };
    return { schema: bodySchema(body.fields, {}, 'call'), example: createExample(body) };
  },
};

function requestBody(body: BodyName, resource: Resource, names: Names, endpoint: Endpoint): JsonObject {
  const content = bodySchemas[body](resource, names, endpoint);
  // A body in which nothing is required can be left out.
  const required = endpoint.transition?.input?.some((field) => field.required) ?? true;
  return { required, content: Object.fromEntries(mediaTypes[body].map((type) => [type, content])) };
}

function successResponse({ method, response, responseDoc, status }: Endpoint, names: Names): JsonObject {
  if (response === 'deleted') return responseRef(deletedName);
  const headers = [
    ...(status === 201 ? ['Location'] : []),
    ...(response === 'record' ? ['ETag'] : []),
    ...(method === 'GET' ? [] : ['Idempotency-Replayed']),
  ];
  return {
    description: responseDoc,
    ...(headers.length > 0 && { headers: headerRefs(headers) }),
    content: jsonContent(schemaRef(responseSchemas[response](names))),
  };
}

function responses(endpoint: Endpoint, names: Names, refusals: Hooks['codes'] | undefined): JsonObject {
  const { method, status, failures } = endpoint;
  const isWrite = method !== 'GET';
  const otherStatuses = [
    ...sharedStatuses,
    ...(isWrite ? [409 as const] : []),
    ...(isList(endpoint) ? [414 as const] : []),
  ];
  return {
    [status]: successResponse(endpoint, names),
    ...(isRetrieve(endpoint) && { 304: responseRef('NotModified') }),
    ...failureRefs([...failures, ...otherStatuses]),
    ...(refusals && { 422: refusedResponse(refusals) }),
  };
}

const extensionOf = ({ field, from, to, requires, rule }: Move): JsonObject => ({
  field,
  from,
  ...(to !== undefined && { to }),
  ...(requires && { requires }),
  ...(rule && { that: rule.that.text, message: rule.message }),
});

function operationObject(resource: Resource, names: Names, endpoint: Endpoint): JsonObject {
  const { name, method, path, body, summary, description, transition, failures } = endpoint;
  const refusals = refusalsOf(resource, name);
  const isOfList = isList(endpoint);
  const id = path.startsWith('/:id') ? [parameterName(resource, 'Id')] : [];
  const page = isOfList ? ['Limit', 'Offset'] : [];
  const parts = method === 'GET' ? partNames(resource) : [];
  const conditions = [
    ...(isRetrieve(endpoint) ? ['IfNoneMatch'] : []),
    ...(failures.includes(412) ? ['IfMatch'] : []),
    ...(method === 'GET' ? [] : ['IdempotencyKey']),
  ];
  const parameters = [
    ...[...id, ...page, ...parts, ...conditions].map(parameterRef),
    ...(isOfList ? listParameters(resource) : []),
  ];
  return {
    operationId: operationIdOf(resource, names.type, endpoint),
    tags: [tagOf(resource)],
    summary,
    description,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body, resource, names, endpoint) }),
    responses: responses(endpoint, names, refusals),
    ...(refusals && { 'x-refusals': refusals }),
    ...(transition && { 'x-transition': extensionOf(transition) }),
    ...(isOfList && { 'x-filters': filterOperators(resource), 'x-sort': sortNames(resource) }),
    ...(isOfList && resource.list.search.length > 0 && { 'x-search': resource.list.search }),
  };
}

/** The path items of a resource: every operation with its parameters, body and responses. */
export function pathItems(resource: Resource): Record<string, JsonObject> {
  const all: Record<string, Record<string, Json>> = {};
  const names = identifiers(resource);
  for (const endpoint of endpointsOf(resource)) {
    const path = resource.path + endpoint.path.replace(':id', '{id}');
    (all[path] ??= {})[endpoint.method.toLowerCase()] = operationObject(resource, names, endpoint);
  }
  return { ...all, ...countOperation(resource) };
}
