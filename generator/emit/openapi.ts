import type { Service } from '../model.ts';
import { capitalize } from '../names.ts';
import { printJson } from './json.ts';
import { paths } from './openapi/operations.ts';
import { resourceSchemas } from './openapi/schemas.ts';
import { failureResponses, parameters, responseHeaders, sharedSchemas } from './openapi/shared.ts';

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
