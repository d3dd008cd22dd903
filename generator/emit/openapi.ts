import { memoize } from '../model/memory.ts';
import type { Resource, Service } from '../model/model.ts';
import { type Json, printJson } from './json.ts';
import { responseHeaders, sharedResponses } from './openapi/errors.ts';
import { sharedFilters } from './openapi/filters.ts';
import { guideTags } from './openapi/guide.ts';
import { infoObject, sharedTagObject, tagGroups, tagObject } from './openapi/info.ts';
import { pathItems } from './openapi/operations.ts';
import { ownParameters } from './openapi/list-parameters.ts';
import type { JsonObject } from './openapi/reference.ts';
import { resourceSchemas } from './openapi/schemas.ts';
import { sharedPaths } from './openapi/shared-paths.ts';
import { parameters, problemSchema, sharedSchemas, sharedValues } from './openapi/shared.ts';

/** The parts of the document that one resource adds. */
const contributionOf = memoize((resource: Resource) => ({
  tag: tagObject(resource),
  paths: pathItems(resource),
  parameters: ownParameters(resource),
  schemas: resourceSchemas(resource),
}));

/** `openapi.json`: an OpenAPI 3.1 document of every operation, body, response and error. */
export function emitOpenApi(service: Service): string {
  const { resources } = service;
  const parts = resources.map(contributionOf);
  const document = withoutUnused({
    openapi: '3.1.1',
    info: infoObject(service),
    // Relative to the document, which a proxy may serve under a prefix.
    servers: [{ url: '.', description: 'This server' }],
    security: [{ apiKey: [] }],
    tags: [...guideTags, ...parts.map(({ tag }) => tag), sharedTagObject],
    'x-tagGroups': tagGroups(service),
    paths: Object.assign({}, ...parts.map(({ paths }) => paths), sharedPaths(resources)) as JsonObject,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer <API key>`.' },
      },
      parameters: {
        ...parameters,
        ...sharedFilters,
        ...(Object.assign({}, ...parts.map((part) => part.parameters)) as JsonObject),
      },
      headers: responseHeaders(service),
      responses: sharedResponses(service),
      schemas: {
        ...Object.assign({}, ...parts.map(({ schemas }) => schemas)),
        ...sharedSchemas,
        ...sharedValues,
        Problem: problemSchema(resources),
      },
    },
  });
  return `${printJson(document)}\n`;
}

type Components = { readonly [section: string]: { readonly [name: string]: Json } };

/** The document without the components that nothing refers to, as a service without line items has them. */
function withoutUnused<T extends { readonly paths: JsonObject; readonly components: Components }>(document: T): T {
  const { components } = document;
  const used = new Set<string>();
  const follow = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value) as [string, Json][]) {
      if (key !== '$ref' || typeof inner !== 'string') follow(inner);
      else if (!used.has(inner)) {
        used.add(inner);
        const [, , section = '', name = ''] = inner.split('/');
        follow(components[section]?.[name] ?? {});
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
