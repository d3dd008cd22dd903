import { z } from 'zod';
import {
  fieldRules,
  fieldTypes,
  type KeyRule,
  type Kind,
  kindFields,
  kinds,
  maxFields,
  maxNameLength,
  objectNames,
  parentRules,
  resourceKinds,
  serviceSchema,
} from '../language.ts';
import { capitalize } from '../names.ts';
import { printSchema, type Schema } from './print.ts';

/** Where the schemas are, from the root of the project. */
export const schemaFiles = {
  resource: 'generator/editor/resource.schema.json',
  service: 'generator/editor/service.schema.json',
} as const;

/** The first line of a spec: it tells the YAML language server which schema the file has. */
export function modeline(specPath: string): string {
  const file = specPath === 'spec/service.yaml' ? schemaFiles.service : schemaFiles.resource;
  return `# yaml-language-server: $schema=${'../'.repeat(specPath.split('/').length - 1)}${file}`;
}

const head = {
  // The newest draft that every version of the YAML language server knows.
  $schema: 'http://json-schema.org/draft-07/schema#',
  $comment: 'Written by `npm run editor` from generator/language.ts.',
};

/** The JSON Schemas of the spec files, for editors: texts by path. They say what `language.ts` says, in its words. */
export function editorSchemas(): Map<string, string> {
  return new Map([
    [schemaFiles.resource, printSchema(resource())],
    [schemaFiles.service, printSchema({ ...head, title: 'Service', ...convert(serviceSchema) })],
  ]);
}

function resource(): Schema {
  const byKind = resourceKinds(z.unknown());
  const kindNames = Object.keys(kinds) as Kind[];
  return {
    ...head,
    title: 'Resource',
    description: 'A resource; the path of the file is that of its URL: spec/crm/lead.yaml is /api/crm/lead.',
    type: 'object',
    properties: { kind: choice('Kind', 'What the resource is.', kindNames, (kind) => byKind[kind].shape.kind) },
    required: ['kind'],
    // One after the other and not as `anyOf`: a mistake is told in terms of the kind that is written.
    allOf: kindNames.map((kind) => ({ if: has('kind', kind), then: { $ref: `#/definitions/${kind}` } })),
    definitions: {
      ...Object.fromEntries(kindNames.map((kind) => [kind, ofKind(kind, convert(byKind[kind]))])),
      field: field(),
      ...Object.fromEntries(Object.entries(fieldTypes).map(([type, schema]) => [type, ofType(convert(schema))])),
    },
  };
}

/** Adds what the checks say of a kind, and zod has no word for. */
function ofKind(kind: Kind, schema: Schema): Schema {
  const { name, operations, parent, fields, transitions } = schema.properties as Record<string, Schema>;
  const reserved = without(kindFields[kind], `comes with the kind ${kind} and is not written`);
  Object.assign(name as Schema, {
    maxLength: maxNameLength,
    not: { pattern: '^sqlite_' },
  });
  Object.assign(operations as Schema, { uniqueItems: true });
  if (parent) Object.assign(parent, { allOf: parentRules.map(asCondition) });
  if (transitions) {
    const words = 'is an operation, and cannot be the name of a transition';
    transitions.propertyNames = { allOf: [transitions.propertyNames, without(kinds.record, words)] };
  }
  const { propertyNames } = fields as Schema;
  Object.assign(fields as Schema, {
    minProperties: 1,
    maxProperties: maxFields,
    propertyNames: { allOf: [propertyNames, reserved, without(objectNames, 'is a name that every object has')] },
    additionalProperties: { $ref: '#/definitions/field' },
  });
  return schema;
}
