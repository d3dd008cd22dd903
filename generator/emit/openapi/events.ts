import { defaultListLimit, maxListLimit } from '../../../runtime/model/limits.ts';
import { basePath } from '../../../runtime/model/operations.ts';
import { eventOperationIds, sharedTag } from '../../model/names.ts';
import { sharedStatuses } from '../../model/operations.ts';
import { idExample } from '../../model/field-types.ts';
import type { Resource } from '../../model/model.ts';
import { shownResource } from './examples.ts';
import { failureRefs, headerRefs } from './errors.ts';
import { eventNumber } from './shared.ts';
import { inQuery, jsonContent, type JsonObject, parameterRef, plainText, schemaRef } from './reference.ts';

const filter = (name: string, description: string, example: string): JsonObject =>
  inQuery(name, { description, schema: plainText, example });

const [list, undo] = eventOperationIds;

/** The paths of events, which every service has. The examples name a resource of it. */
export const eventPaths = (resources: readonly Resource[]): Readonly<Record<string, JsonObject>> => ({
  [`${basePath}/events`]: {
    get: {
      operationId: list,
      tags: [sharedTag],
      summary: 'List events, oldest first',
      description:
        'Lists what was done to records, in the order in which it became visible, of the resources that the key may read. Needs ' +
        'the scope `events:read`. With `Accept: text/event-stream`, the response goes on with new events as they come.',
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
        ...failureRefs([400, ...sharedStatuses]),
      },
    },
  },
  [`${basePath}/events/{number}/undo`]: {
    post: {
      operationId: undo,
      tags: [sharedTag],
      summary: 'Undo an event',
      description:
        'Restores a deleted record with its line items, sets the fields of a change back, or deletes a record that is as it was ' +
        'created. Needs the scope of the write that it undoes.',
      parameters: [parameterRef('EventNumber'), parameterRef('IdempotencyKey')],
      responses: {
        200: {
          description: 'It is undone: the record as it is now, or the id of the record that is deleted.',
          headers: headerRefs(['ETag', 'Idempotency-Replayed']),
          content: jsonContent({ type: 'object' }),
        },
        ...failureRefs([400, 404, 409, 413, 422, ...sharedStatuses]),
      },
    },
  },
});
