import type { Resource } from '../../model.ts';
import { capitalize } from '../../names.ts';
import { type Answer, type Body, type Endpoint, endpointsOf, sharedStatuses, successOf } from '../../operations.ts';
import { identifiers } from '../identifiers.ts';
import type { Json } from '../../json.ts';
import { listParameters, partNames } from './list-parameters.ts';
import { jsonContent, type JsonObject, parameterRef, schemaRef } from './reference.ts';
import { errorResponses } from './shared.ts';

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

const requestBody = (body: Body, { bodies }: Names): JsonObject => ({
  required: true,
  content: Object.fromEntries(mediaTypes[body].map((type) => [type, { schema: schemaRef(bodies[body]) }])),
});

function responses(endpoint: Endpoint, names: Names): JsonObject {
  const { answer, answerDoc, failures } = endpoint;
  const success = successOf(endpoint);
  const all: Record<string, Json> = {
    [success]: {
      description: answerDoc,
      ...(success === 201 && { headers: { Location: { $ref: '#/components/headers/Location' } } }),
      content: jsonContent(schemaRef(answers[answer](names))),
    },
  };
  for (const status of [...failures, ...sharedStatuses].toSorted((a, b) => a - b)) {
    all[status] = { $ref: `#/components/responses/${errorResponses[status][0]}` };
  }
  return all;
}

/** The operation object of an endpoint. */
function operationObject(resource: Resource, names: Names, endpoint: Endpoint): JsonObject {
  const { name, method, path, body, summary, description, query = [], isList } = endpoint;
  const id = path.startsWith('/:id') ? ['Id'] : [];
  const parts = method === 'get' ? partNames(resource) : [];
  const parameters = [...[...id, ...query, ...parts].map(parameterRef), ...(isList ? listParameters(resource) : [])];
  return {
    operationId: name + names.type,
    tags: [capitalize(resource.title)],
    summary,
    // The id of the path comes before the description.
    ...(path === '/:id' && { parameters }),
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body, names) }),
    responses: responses(endpoint, names),
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
