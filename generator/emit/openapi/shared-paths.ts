import { defaultListLimit, maxBatchOperations, maxListLimit } from '../../../runtime/kernel/model/limits.ts';
import { basePath } from '../../../runtime/kernel/model/operations.ts';
import { idExample } from '../../model/field-types.ts';
import type { Resource } from '../../model/model.ts';
import { eventOperationIds, keyOperationId, sharedTag } from '../../model/names.ts';
import { type FailureStatus, sharedStatuses } from '../../model/operations.ts';
import { failureRefs, headerRefs } from './errors.ts';
import { batchExample, shownResource } from './examples.ts';
import { anyObject, inQuery, jsonContent, type JsonObject, parameterRef, schemaRef } from './reference.ts';
import { eventNumber } from './shared.ts';

const batchFailures: readonly FailureStatus[] = [400, 404, 405, 409, 412, 413, 414, 415, 422];

/** The path of several writes at once. */
const batchPath = (resources: readonly Resource[]): Readonly<Record<string, JsonObject>> => ({
  [`${basePath}/batch`]: {
    post: {
      operationId: 'batch',
      tags: [sharedTag],
      summary: 'Do several writes at once',
      description: `Does 1 to ${maxBatchOperations} writes in their order, all or none. Later ones can name the records that earlier ones create.`,
      parameters: [parameterRef('IdempotencyKey')],
      requestBody: { required: true, content: jsonContent(schemaRef('BatchOperations'), batchExample(resources)) },
      responses: {
        200: {
          description: 'All operations are done.',
          headers: headerRefs(['Idempotency-Replayed']),
          content: jsonContent(schemaRef('BatchResults')),
        },
        ...failureRefs([...batchFailures, ...sharedStatuses]),
      },
    },
  },
});

const filter = (name: string, description: string, example: string): JsonObject =>
  inQuery(name, { description, schema: schemaRef('text'), example });

const [list, undo] = eventOperationIds;

/** The paths of events. The examples name a resource of the service. */
const eventPaths = (resources: readonly Resource[]): Readonly<Record<string, JsonObject>> => ({
  [`${basePath}/events`]: {
    get: {
      operationId: list,
      tags: [sharedTag],
      summary: 'List events, oldest first',
      description:
        'Lists what was done to records. Needs the scope `events:read`. With `Accept: text/event-stream`, it goes on with new events.',
      parameters: [
        filter('resource', 'Only of this resource.', shownResource(resources)?.key ?? ''),
        filter('record', 'Only of the record with this id.', idExample(shownResource(resources)?.name ?? '')),
        filter(
          'operation',
          'Only of this operation: create, update, delete, reorder, or the name of a transition.',
          'update',
        ),
        filter('actor', 'Only of the API key with this id.', 'key_01J8ZQ5T4M0000000000000000'),
        inQuery('after', { description: 'The number behind which the page begins.', schema: eventNumber, example: 0 }),
        inQuery('limit', {
          description: 'The most events in the response; it has fewer if they are long.',
          schema: { type: 'integer', minimum: 1, maximum: maxListLimit, default: defaultListLimit },
          example: defaultListLimit,
        }),
        inQuery('sort', {
          description: 'The order: by `number`, or the newest first.',
          schema: { type: 'string', enum: ['number', '-number'], default: 'number' },
          example: 'number',
        }),
      ],
      responses: {
        200: { description: 'A page of events.', content: jsonContent(schemaRef('EventList')) },
        ...failureRefs([400, 410, ...sharedStatuses]),
      },
    },
  },
  [`${basePath}/events/{number}/undo`]: {
    post: {
      operationId: undo,
      tags: [sharedTag],
      summary: 'Undo an event',
      description:
        'Restores a deleted record with its items, sets changed fields back, or deletes a new record. Needs the scope of that write.',
      parameters: [parameterRef('EventNumber'), parameterRef('IdempotencyKey')],
      responses: {
        200: {
          description: 'It is undone: the record as it is now, or the id of the record that is deleted.',
          headers: headerRefs(['ETag', 'Idempotency-Replayed']),
          content: jsonContent(anyObject),
        },
        ...failureRefs([400, 404, 409, 413, 422, ...sharedStatuses]),
      },
    },
  },
});

/** The path that tells what the API key of the request is. */
const keyPath: Readonly<Record<string, JsonObject>> = {
  [`${basePath}/key`]: {
    get: {
      operationId: keyOperationId,
      tags: [sharedTag],
      summary: 'Retrieve the API key in use',
      description: 'Tells the name of the key of the request, its organization, its scopes, and when it expires.',
      responses: {
        200: { description: 'The key of the request.', content: jsonContent(schemaRef('CurrentKey')) },
        ...failureRefs([400, 401, 429, 500, 503]),
      },
    },
  },
};

/** The paths that every service has beside those of its resources. */
export const sharedPaths = (resources: readonly Resource[]): JsonObject => ({
  ...batchPath(resources),
  ...eventPaths(resources),
  ...keyPath,
});
