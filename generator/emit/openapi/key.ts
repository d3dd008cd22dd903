import { basePath } from '../../../runtime/model/operations.ts';
import { keyOperationId, sharedTag } from '../../model/names.ts';
import { jsonContent, type JsonObject, schemaRef } from './reference.ts';
import { failureRefs } from './errors.ts';

/** The path that tells what the API key of the request is. */
export const keyPath: Readonly<Record<string, JsonObject>> = {
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
