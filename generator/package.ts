import { extname } from 'node:path';

/** The name under which the generator and the runtime are installed. */
export const packageName = 'spec-to-server';

/** Whether this is the installed package, which is built; in the repository of the package itself, sources are run. */
const isInstalled = extname(import.meta.filename) === '.js';

/** The module that generated code imports the runtime from, as seen from the folder of the generated code. */
const runtimeModule = isInstalled ? packageName : '../runtime/index.ts';

/** The runtime as a generated file imports it; `depth` counts the folders between it and the folder of all. */
export const runtimeAt = (depth: number): string =>
  runtimeModule.startsWith('.') ? '../'.repeat(depth) + runtimeModule : runtimeModule;

/** The folder of the JSON Schemas for editors, from the root of a project. */
export const editorFolder = isInstalled ? `node_modules/${packageName}/dist/generator/editor` : 'generator/editor';
