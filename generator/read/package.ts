import { extname } from 'node:path';

/** The name under which the generator and the runtime are installed. */
export const packageName = 'spec-to-server';

/** Whether this is the installed package, which is built; in the repository of the package itself, sources are run. */
export const isInstalled = extname(import.meta.filename) === '.js';

/** The folder of the JSON Schemas for editors, from the root of a project. */
export const editorFolder = isInstalled ? `node_modules/${packageName}/dist/generator/editor` : 'generator/editor';
