import { editorFolder } from './package.ts';

/** The file with what all resources share. */
export const serviceFile = 'spec/service.yaml';

/** The spec file of a resource by its key, like `crm/lead`. */
export const specFile = (key: string): string => `spec/${key}.yaml`;

/** The key of the resource that a spec file describes. */
export const keyOf = (specPath: string): string => specPath.slice('spec/'.length, -'.yaml'.length);

/** A generated file as a path in the project. */
export const generatedFile = (path: string): string => `generated/${path}`;

/** Where the JSON Schemas for editors are, from the root of the project. */
export const schemaFiles = {
  resource: `${editorFolder}/resource.schema.json`,
  service: `${editorFolder}/service.schema.json`,
};

/** The first line of a spec, like `spec/crm/lead.yaml`: it tells the YAML language server which schema the file has. */
export function modeline(specPath: string): string {
  const file = specPath === serviceFile ? schemaFiles.service : schemaFiles.resource;
  return `# yaml-language-server: $schema=${'../'.repeat(specPath.split('/').length - 1)}${file}`;
}
