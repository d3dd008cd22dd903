import { maxBatchOperations } from '../../../runtime/model/limits.ts';
import { basePath } from '../../../runtime/model/operations.ts';
import type { Resource } from '../../model/model.ts';
import { sharedTag } from '../../model/names.ts';
import { type FailureStatus, sharedStatuses } from '../../model/operations.ts';
import { failureRefs, headerRefs } from './errors.ts';
import { batchExample } from './examples.ts';
import { jsonContent, type JsonObject, parameterRef, schemaRef } from './reference.ts';

const failures: readonly FailureStatus[] = [400, 404, 405, 409, 412, 413, 414, 415, 422];

/** The path that every service has beside those of its resources: several writes at once. */
export const batchPath = (resources: readonly Resource[]): Readonly<Record<string, JsonObject>> => ({
  [`${basePath}/batch`]: {
    post: {
      operationId: 'batch',
      tags: [sharedTag],
      summary: 'Do several writes at once',
      description:
        `Does 1 to ${maxBatchOperations} creates, updates, deletes, transitions and reorders in their order: all of them, or ` +
        'none if one fails. The response is then the problem of that one, with its place as `operation`. The id of a record ' +
        'that an earlier operation creates is written `{"result": 0}` in place of a string in a body, and `{result:0}` as a ' +
        'segment of a path.',
      parameters: [parameterRef('IdempotencyKey')],
      requestBody: { required: true, content: jsonContent(schemaRef('BatchOperations'), batchExample(resources)) },
      responses: {
        200: {
          description: 'All operations are done.',
          headers: headerRefs(['Idempotency-Replayed']),
          content: jsonContent(schemaRef('BatchResults')),
        },
        ...failureRefs([...failures, ...sharedStatuses]),
      },
    },
  },
});
