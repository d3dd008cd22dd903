import { extname } from 'node:path';

/** The name under which the generator and the runtime are installed. */
export const packageName = 'spec-to-server';

/** Whether this is the installed package, which is built; in the repository of the package itself, sources are run. */
export const isInstalled = extname(import.meta.filename) === '.js';

/** The folder of the JSON Schemas for editors, from the root of a project. */
const editorFolder = isInstalled ? `node_modules/${packageName}/dist/generator/editor` : 'generator/editor';

/** The folders of a project, from its root, with slashes. A command that is told others sets them before anything else. */
export const folders = { spec: 'spec', generated: 'generated' };

/** The file with what all resources share. */
export const serviceFile = (): string => `${folders.spec}/service.yaml`;

/** The spec file of a resource by its key, like `crm/lead`. */
export const specFile = (key: string): string => `${folders.spec}/${key}.yaml`;

/** A path in the folder of the spec, without that folder. */
export const pathInSpec = (specPath: string): string => specPath.slice(folders.spec.length + 1);

/** The key of the resource that a spec file describes. */
export const resourceKeyOf = (specPath: string): string => pathInSpec(specPath).replace(/\.ya?ml$/i, '');

/** Whether a file in `spec/` has hooks. */
export const isHooksFile = (path: string): boolean => path.endsWith('.hooks.ts');

/** The key of the resource whose hooks a file has. */
export const hooksKeyOf = (path: string): string => pathInSpec(path).replace(/\.hooks\.ts$/, '');

/** A generated file as a path in the project. */
export const generatedFile = (path: string): string => `${folders.generated}/${path}`;

/** The JSON Schemas for editors, from the root of the project. */
export const schemaFiles = {
  resource: `${editorFolder}/resource.schema.json`,
  service: `${editorFolder}/service.schema.json`,
};

/** The first line of a spec, like `spec/crm/lead.yaml`: it tells the YAML language server which schema the file has. */
export function modeline(specPath: string): string {
  const file = specPath === serviceFile() ? schemaFiles.service : schemaFiles.resource;
  return `# yaml-language-server: $schema=${'../'.repeat(specPath.split('/').length - 1)}${file}`;
}
