import { join } from 'node:path';
import * as prettier from 'prettier';

import { projectRoot } from '../support/server.ts';

const settings = prettier.resolveConfig(join(projectRoot, 'runtime/index.ts'));

/** The text as the project's formatter prints it. */
export async function formatted(path: string, text: string): Promise<string> {
  const options = await settings;
  if (options?.printWidth !== 120) throw new Error('The settings of the formatter have not been found.');
  return prettier.format(text, { ...options, filepath: path });
}

// Lines that cannot be broken: a field, a parameter and a response in the OpenAPI document, a string of JSON after its key,
// the default of a column, the expression of a rule, the export or import of a single name.
const unbreakable = [
  /^ *"[\w-]+": \{ .* \},?$/s,
  /^ *\{ "name": "\w+(?:\[\w+\])?", "in": "query", .* \},?$/,
  /^ *"[^"]+": "(?:[^"\\]|\\.)*",?$/,
  /^ {2}"\w+" text default '(?:[^']|'')*',?$/,
  /^ *(?:that|when): (?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),$/,
  /^(?:ex|im)port (?:type )?\{ \w+ \} from '[^']+';$/,
  /^export type \* from '[^']+';$/,
];

/** The lines of a generated file that are over 120 and need not be. */
export const linesOver120 = (path: string, text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.length > 120 && !unbreakable.some((shape) => shape.test(line)))
    .map((line) => `${path}: ${line}`);
