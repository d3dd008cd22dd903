import type { Resource } from '../../model.ts';
import {
  type Answer,
  type Body,
  type Endpoint,
  endpointsOf,
  operationIdOf,
  sharedStatuses,
  successOf,
} from '../../operations.ts';
import { identifiers } from '../identifiers.ts';
import type { Json } from '../../json.ts';
import { tagOf } from './groups.ts';
import { filterOperators } from './filters.ts';
import { idName, listParameters, partNames, sortNames } from './list-parameters.ts';
import { jsonContent, type JsonObject, parameterRef, schemaRef } from './reference.ts';
import { failureRefs } from './errors.ts';
import { createExample, reorderExample, updateExample } from './examples.ts';
import { createSchema } from './schemas.ts';

type Names = ReturnType<typeof identifiers>;

/** The media types that each body is sent as. */
const mediaTypes: Readonly<Record<Body, readonly string[]>> = {
  create: ['application/json'],
  update: ['application/json', 'application/merge-patch+json'],
  reorder: ['application/json'],
};

/** The schema of each answer. */
const answers: Readonly<Record<Answer, (names: Names) => string>> = {
  record: ({ type }) => type,
  list: ({ type }) => `${type}List`,
  deleted: () => 'Deleted',
};

/**
 * The schema of each body, and an example. That of a create is in its operation: a client of openapi-typescript then takes
 * fields with a default for optional.
 */
const bodySchemas: Readonly<Record<Body, (resource: Resource, names: Names) => { schema: JsonObject; example: Json }>> =
  {
    create: (resource) => ({ schema: createSchema(resource), example: createExample(resource) }),
    update: (resource, { bodies }) => ({ schema: schemaRef(bodies.update), example: updateExample(resource) }),
    reorder: (resource, { bodies }) => ({ schema: schemaRef(bodies.reorder), example: reorderExample(resource) }),
  };

function requestBody(body: Body, resource: Resource, names: Names): JsonObject {
  const content = bodySchemas[body](resource, names);
  return { required: true, content: Object.fromEntries(mediaTypes[body].map((type) => [type, content])) };
}

function responses(endpoint: Endpoint, names: Names): JsonObject {
  const { answer, answerDoc, failures } = endpoint;
  const success = successOf(endpoint);
  return {
    [success]: {
      description: answerDoc,
      ...(success === 201 && { headers: { Location: { $ref: '#/components/headers/Location' } } }),
      content: jsonContent(schemaRef(answers[answer](names))),
    },
    ...failureRefs([...failures, ...sharedStatuses, ...(endpoint.isList ? [414 as const] : [])]),
  };
}

/** The operation object of an endpoint. */
function operationObject(resource: Resource, names: Names, endpoint: Endpoint): JsonObject {
  const { method, path, body, summary, description, query = [], isList, states } = endpoint;
  const id = path.startsWith('/:id') ? [idName(resource)] : [];
  const parts = method === 'get' ? partNames(resource) : [];
  const parameters = [...[...id, ...query, ...parts].map(parameterRef), ...(isList ? listParameters(resource) : [])];
  return {
    operationId: operationIdOf(resource, names.type, endpoint),
    tags: [tagOf(resource)],
    summary,
    description,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body, resource, names) }),
    responses: responses(endpoint, names),
    ...(states && { 'x-transition': states }),
    ...(isList && { 'x-filters': filterOperators(resource), 'x-sort': sortNames(resource) }),
    ...(isList && resource.list.search.length > 0 && { 'x-search': resource.list.search }),
  };
}

/** The path items of a resource: every operation with its parameters, body and answers. */
export function pathItems(resource: Resource): Record<string, JsonObject> {
  const all: Record<string, Record<string, Json>> = {};
  const names = identifiers(resource);
  for (const endpoint of endpointsOf(resource)) {
    const path = resource.path + endpoint.path.replace(/\/$/, '').replace(':id', '{id}');
    (all[path] ??= {})[endpoint.method] = operationObject(resource, names, endpoint);
  }
  return all;
}
