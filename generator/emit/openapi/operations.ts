import type { Operation } from '../../language.ts';
import type { Resource, Service, Transition } from '../../model.ts';
import { camelCase, capitalize } from '../../names.ts';
import { identifiers } from '../identifiers.ts';
import type { Json } from '../json.ts';
import { sharedStatuses, type Statuses, statusesOf, transitionStatuses } from '../statuses.ts';
import { jsonContent, type JsonObject, parameterRef, schemaRef } from './reference.ts';
import { responseNames } from './shared.ts';

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

function operationEndpoint(resource: Resource, operation: Operation, hasItems: boolean): Endpoint {
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
      const parameters = [...(isItem ? ['ParentId'] : []), 'Limit', 'Offset', 'After'].map(parameterRef);
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
        description: hasItems ? 'For good, together with its line items.' : 'For good.',
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
      operationId: camelCase(name) + type,
      tags: [capitalize(resource.title)],
      summary: `${capitalize(name.replaceAll('-', ' '))} ${resource.title}`,
      description: `Moves \`${field}\` from ${from.map((state) => `\`${state}\``).join(' or ')} to \`${to}\`.`,
      parameters: [parameterRef('Id')],
      responses: answers(transitionStatuses, 'The record as it is now.', schemaRef(type)),
    },
  };
}

/** The path items of a service: every operation with its parameters, body and answers. */
export function paths(service: Service): JsonObject {
  const all: Record<string, Record<string, Json>> = {};
  const parents = new Set(service.resources.map(({ parent }) => parent?.resource));
  for (const resource of service.resources) {
    const hasItems = parents.has(resource.key);
    const endpoints = [
      ...resource.operations.map((operation) => operationEndpoint(resource, operation, hasItems)),
      ...resource.transitions.map((transition) => transitionEndpoint(resource, transition)),
    ];
    for (const { path, method, operation } of endpoints) (all[path] ??= {})[method] = operation;
  }
  return all;
}
