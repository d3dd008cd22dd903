import type { Service } from '../model.ts';
import { capitalize } from '../names.ts';
import { type Json, printJson } from '../json.ts';
import { paths } from './openapi/operations.ts';
import { resourceSchemas } from './openapi/schemas.ts';
import { failureResponses, parameters, responseHeaders, sharedSchemas } from './openapi/shared.ts';

/** `openapi.json`: an OpenAPI 3.1 document of every operation, body, answer and error. */
export function emitOpenApi(service: Service): string {
  const document = withoutUnused({
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
  });
  return `${printJson(document)}\n`;
}

type Components = { readonly [section: string]: { readonly [name: string]: Json } };

/** The document without the components that nothing refers to, as a service without line items has them. */
function withoutUnused<T extends { readonly paths: Json; readonly components: Components }>(document: T): T {
  const { components } = document;
  const used = new Set<string>();
  const follow = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '$ref' || typeof inner !== 'string') {
        follow(inner as Json);
      } else if (!used.has(inner)) {
        used.add(inner);
        const [, , section = '', name = ''] = inner.split('/');
        follow(components[section]?.[name] ?? null);
      }
    }
  };
  follow(document.paths);
  const kept = Object.entries(components).map(([section, entries]) => [
    section,
    section === 'securitySchemes'
      ? entries
      : Object.fromEntries(Object.entries(entries).filter(([name]) => used.has(`#/components/${section}/${name}`))),
  ]);
  return { ...document, components: Object.fromEntries(kept) as Components };
}
